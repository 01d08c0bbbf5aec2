import { invoicesGenerate } from '../../lib/demo/tools/invoices-generate.ts';
import { messagesSend } from '../../lib/demo/tools/messages-send.ts';
import { paymentsCharge } from '../../lib/demo/tools/payments-charge.ts';
import { refundsCreate } from '../../lib/demo/tools/refunds-create.ts';
import { ticketsClose } from '../../lib/demo/tools/tickets-close.ts';
import { ticketsCreate } from '../../lib/demo/tools/tickets-create.ts';
import type { Contract } from '../../lib/executor/contract/contract.ts';

/** The contracts of the demo, which are written in code. */
export function demoContracts(): Contract[] {
  return [invoicesGenerate, messagesSend, paymentsCharge, refundsCreate, ticketsClose, ticketsCreate].map(
    (tool) => tool({ url: '' }).contract,
  );
}
