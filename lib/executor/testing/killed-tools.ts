import type { Wire } from '../../demo/tools/deskline-wire.ts';
import { messagesSend } from '../../demo/tools/messages-send.ts';
import { paymentsCharge } from '../../demo/tools/payments-charge.ts';
import { ticketsCreate } from '../../demo/tools/tickets-create.ts';
import type { Tool } from '../index.ts';

/** One tool of each kind of recovery, as the killed worker and those after it hold it. */
export const killedTools = (wire: Wire, version: string) =>
  ({
    /** Deduplicates, and answers with authority. */
    tickets: ticketsCreate(wire, { version }),
    /** Does not deduplicate; its lookup only informs. */
    payments: paymentsCharge(wire, { version }),
    /** Neither. */
    messages: messagesSend(wire, { version }),
  }) satisfies Record<string, Tool>;

export type KilledTool = keyof ReturnType<typeof killedTools>;
