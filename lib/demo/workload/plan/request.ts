import {
  MESSAGES,
  PEOPLE,
  PHONE_PREFIX,
  PRODUCTS,
  REFUND_REASONS,
  REVOKED_ACTOR,
  TICKETS,
} from './business.ts';
import type { Seeded } from './seeded.ts';
import type { Arguments, ToolName } from './step.ts';

/** What a workflow step asks for, and the business event behind it. */
export type StepRequest = {
  workflowId: string;
  stepId: string;
  actor: string;
  arguments: Arguments;
  intentEvent: string;
  businessReference: string;
};

/** Every number is one workflow, so `serial` makes ids that no other workflow has. */
export function requestOf(tool: ToolName, serial: number, draw: Seeded, tenantId: string): StepRequest {
  const order = String(41_200 + serial);
  const invoice = `INV-2026-${String(10_400 + serial)}`;
  const person = draw.pick(PEOPLE);
  const product = draw.pick(PRODUCTS);
  const customer = `cus_${draw.hex(8)}`;
  const currency = tenantId === 'acme' ? draw.pick(['EUR', 'EUR', 'EUR', 'GBP']) : 'USD';
  const fill = (text: string) =>
    text
      .replaceAll('{order}', order)
      .replaceAll('{invoice}', invoice)
      .replaceAll('{person}', person)
      .replaceAll('{product}', product);

  switch (tool) {
    case 'tickets.create': {
      const { queue, subject, body } = draw.pick<{ queue: string; subject: string; body: string }>(TICKETS);
      return {
        workflowId: `conversation-${order}`,
        stepId: 'open-ticket',
        actor: `agent:support-${draw.whole(1, 3)}`,
        arguments: { queue_id: queue, subject: fill(subject), body: fill(body), customer_id: customer },
        intentEvent: `conversation.escalated:${order}`,
        businessReference: `order ${order}`,
      };
    }
    case 'tickets.close':
      return {
        workflowId: `conversation-${order}`,
        stepId: 'close-ticket',
        actor: `agent:support-${draw.whole(1, 3)}`,
        arguments: { expected_version: 1 },
        intentEvent: `conversation.solved:${order}`,
        businessReference: `order ${order}`,
      };
    case 'payments.charge':
      return {
        workflowId: `invoice-${invoice}`,
        stepId: 'charge-card',
        actor: `agent:billing-${draw.whole(1, 2)}`,
        arguments: {
          amount: draw.whole(19, 2_400) * 100 + draw.pick([0, 50, 90, 95]),
          currency,
          invoice_id: invoice,
          customer_id: customer,
        },
        intentEvent: `invoice.due:${invoice}`,
        businessReference: invoice,
      };
    case 'refunds.create':
      return {
        workflowId: `return-${order}`,
        stepId: 'refund-payment',
        actor: `agent:returns-${draw.whole(1, 2)}`,
        arguments: {
          // charged before this demo began: Deskline's own numbers start at 7731
          payment_id: `pay_${draw.whole(5_100, 7_600)}`,
          amount: draw.whole(9, 640) * 100 + draw.pick([0, 49, 90]),
          currency,
          reason: draw.pick(REFUND_REASONS),
        },
        intentEvent: `return.approved:${order}`,
        businessReference: `order ${order}`,
      };
    case 'messages.send': {
      const { template, text } = draw.pick<{ template: string; text: string }>(MESSAGES);
      return {
        workflowId: `notice-${order}`,
        stepId: `send-${template.replaceAll('_', '-')}`,
        actor: draw.chance(0.12) ? REVOKED_ACTOR : draw.pick(['agent:outreach-1', 'agent:outreach-3']),
        arguments: { to: `${PHONE_PREFIX}${draw.whole(100, 999)}`, template, text: fill(text) },
        intentEvent: `order.${template}:${order}`,
        businessReference: `order ${order}`,
      };
    }
  }
}

/** The same step as a model proposes it that remembers it wrongly. */
export function otherArguments(tool: ToolName, args: Arguments): Arguments {
  switch (tool) {
    case 'tickets.create':
      return { ...args, subject: `${args['subject']} (urgent)` };
    case 'tickets.close':
      return { ...args, expected_version: 2 };
    case 'payments.charge':
    case 'refunds.create':
      return { ...args, amount: Number(args['amount']) + 500 };
    case 'messages.send':
      return { ...args, text: `${args['text']} Reply STOP to end these messages.` };
  }
}

/** The step as a model proposes it that did not read the tool's description. */
export function invalidArguments(tool: ToolName, args: Arguments): Arguments {
  if (tool === 'payments.charge' || tool === 'refunds.create')
    return { ...args, amount: `${Number(args['amount']) / 100} ${args['currency']}` };
  return { ...args, priority: 'high' };
}
