import type { FaultSubject } from '../../faults/subject.ts';
import { invoicesGenerate } from '../tools/invoices-generate.ts';
import { messagesSend } from '../tools/messages-send.ts';
import { paymentsCharge } from '../tools/payments-charge.ts';
import { refundsCreate } from '../tools/refunds-create.ts';
import { ticketsClose } from '../tools/tickets-close.ts';
import { ticketsCreate } from '../tools/tickets-create.ts';
import { startDesklineDownstream, withJobs } from './deskline-downstream.ts';

/** The demo's tools against Deskline; each operation has a target of its own, so that none is another's sibling. */
type Args = Record<string, unknown>;
const changed = (field: string, value: unknown) => (args: unknown) => ({ ...(args as Args), [field]: value });

const tickets: FaultSubject = {
  name: 'tickets.create',
  tool: (url) => ticketsCreate({ url }),
  startDownstream: () => startDesklineDownstream('tickets'),
  arguments: async (_downstream, unique) => ({
    queue_id: 'support',
    subject: `Refund request ${unique}`,
    body: 'The customer reports a duplicate charge.',
    customer_id: 'cus_1',
  }),
  changed: changed('body', 'Something else.'),
};

const closures: FaultSubject = {
  name: 'tickets.close',
  tool: (url) => ticketsClose({ url }),
  startDownstream: () =>
    startDesklineDownstream('ticket_closures', (control) => ({
      // closing answers a state: neither a receipt nor a subject is compared
      malformations: ['not_json', 'cut_off'],
      changeTarget: async (args) => {
        await control.revise('tickets', String((args as Args)['ticket_id']));
      },
    })),
  arguments: async ({ url }, unique) => {
    const response = await fetch(`${url}/tickets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        queue_id: 'support',
        subject: `To close ${unique}`,
        body: '-',
        customer_id: 'cus_1',
      }),
    });
    const ticket = (await response.json()) as { id: string; version: number };
    return { ticket_id: ticket.id, expected_version: ticket.version };
  },
  changed: (args) => ({
    ...(args as Args),
    expected_version: Number((args as Args)['expected_version']) + 1,
  }),
};

const payments: FaultSubject = {
  name: 'payments.charge',
  tool: (url) => paymentsCharge({ url }),
  startDownstream: () => startDesklineDownstream('payments'),
  arguments: async (_downstream, unique) => ({
    amount: 1250,
    currency: 'EUR',
    invoice_id: `invoice_${unique}`,
    customer_id: 'cus_1',
  }),
  changed: changed('amount', 1251),
};

const refunds: FaultSubject = {
  name: 'refunds.create',
  tool: (url) => refundsCreate({ url }),
  startDownstream: () => startDesklineDownstream('refunds'),
  arguments: async (_downstream, unique) => ({
    payment_id: `pay_${unique}`,
    amount: 1250,
    currency: 'EUR',
    reason: 'Charged twice.',
  }),
  changed: changed('amount', 12),
};

const messages: FaultSubject = {
  name: 'messages.send',
  tool: (url) => messagesSend({ url }),
  startDownstream: () =>
    // what Deskline misstates of a message is its text, which the contract does not compare
    startDesklineDownstream('messages', () => ({ malformations: ['not_json', 'cut_off', 'no_receipt'] })),
  arguments: async (_downstream, unique) => ({
    to: `cus_${unique}`,
    template: 'refund_done',
    text: 'Your refund is on its way.',
  }),
  changed: changed('template', 'refund_refused'),
};

const invoices: FaultSubject = {
  name: 'invoices.generate',
  tool: (url) => invoicesGenerate({ url }),
  startDownstream: () =>
    startDesklineDownstream('invoices', (control, url) => ({
      ...withJobs('invoices')(control, url),
      // what answers first is the acceptance, which carries neither receipt nor amount
      malformations: ['not_json', 'cut_off'],
    })),
  arguments: async (_downstream, unique) => ({
    order_id: `order_${unique}`,
    amount: 1250,
    currency: 'EUR',
    customer_id: 'cus_1',
  }),
  changed: changed('amount', 1251),
};

export default [tickets, closures, payments, refunds, messages, invoices];
