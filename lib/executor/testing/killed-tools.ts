import type { Wire } from '../../demo/tools/deskline-wire.ts';
import { messagesSend } from '../../demo/tools/messages-send.ts';
import { paymentsCharge } from '../../demo/tools/payments-charge.ts';
import { ticketsCreate, ticketsCreateContract } from '../../demo/tools/tickets-create.ts';
import type { Tool } from '../index.ts';

/**
 * One tool of each kind of recovery, as the killed worker and those after it hold it. Lease and settle window are long,
 * so that a slow machine does not end them before the test does.
 */
export const killedTools = (wire: Wire, version: string) =>
  ({
    /** Deduplicates, and answers with authority. */
    tickets: ticketsCreate(wire, {
      version,
      lease_seconds: 60,
      downstream: { ...ticketsCreateContract.downstream, settle_seconds: 50 },
    }),
    /** Does not deduplicate; its lookup only informs. */
    payments: paymentsCharge(wire, { version, lease_seconds: 60 }),
    /** Neither. */
    messages: messagesSend(wire, { version, lease_seconds: 60 }),
  }) satisfies Record<string, Tool>;

export type KilledTool = keyof ReturnType<typeof killedTools>;
