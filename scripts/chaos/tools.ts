import type { ContractInput, Tool } from '../../lib/executor/index.ts';
import type { Wire } from '../../lib/demo/tools/deskline-wire.ts';
import { messagesSend, messagesSendContract } from '../../lib/demo/tools/messages-send.ts';
import { refundsCreate, refundsCreateContract } from '../../lib/demo/tools/refunds-create.ts';
import { ticketsCreate, ticketsCreateContract } from '../../lib/demo/tools/tickets-create.ts';

/** The kinds of tool by what their downstream can do about a doubt. */
export const KINDS = ['tickets', 'refunds', 'messages'] as const;
export type Kind = (typeof KINDS)[number];

/** What the downstream of each kind does; Deskline is set up for it by `DESKLINE_SETTINGS`. */
export const DOWNSTREAM: Record<Kind, string> = {
  tickets: 'deduplicates and answers',
  refunds: 'answers',
  messages: 'neither',
};

export const DESKLINE_SETTINGS = { refunds: { honours_key: false } };

/** How long a lease and one attempt last; short, so that they end while somebody waits for it. */
export interface Times {
  leaseSeconds: number;
  callBudgetMs: number;
}
export const SHORT: Times = { leaseSeconds: 2, callBudgetMs: 1_500 };
const SETTLE_SECONDS = 5;

/** The tools of one process; attempts are never what runs out. */
export function chaosTools(wire: Wire, { leaseSeconds, callBudgetMs }: Times = SHORT): Record<Kind, Tool> {
  const change = {
    version: `lease-${leaseSeconds}-budget-${callBudgetMs}`,
    // each step has the same request, so that only the keys tell them apart
    require_intent: 'never',
    lease_seconds: leaseSeconds,
    attempts: { max: 1000, backoff_seconds: 1 },
  } satisfies Partial<ContractInput>;
  const times = { call_budget_ms: callBudgetMs, settle_seconds: SETTLE_SECONDS };
  const tools = {
    tickets: ticketsCreate(wire, {
      ...change,
      lookup: { ...ticketsCreateContract.lookup, deadline_seconds: 300 },
      downstream: { ...ticketsCreateContract.downstream, ...times },
    }),
    refunds: refundsCreate(wire, {
      ...change,
      lookup: { ...refundsCreateContract.lookup, deadline_seconds: 300 },
      downstream: { ...withoutWindow(refundsCreateContract.downstream), ...times, deduplicates: false },
    }),
    messages: messagesSend(wire, {
      ...change,
      downstream: { ...messagesSendContract.downstream, ...times },
    }),
  };
  return tools;
}

const withoutWindow = ({
  key_window_seconds: _window,
  ...downstream
}: typeof refundsCreateContract.downstream) => downstream;

export const ARGUMENTS: Record<Kind, unknown> = {
  tickets: {
    queue_id: 'support',
    subject: 'Refund request',
    body: 'A duplicate charge.',
    customer_id: 'cus_1',
  },
  refunds: { payment_id: 'pay_1', amount: 1250, currency: 'EUR', reason: 'charged twice' },
  messages: { to: 'cus_1', template: 'refund_done', text: 'Your refund is on its way.' },
};

/** The name by which a kind's tool is called. */
export const toolName = (kind: Kind): string => chaosTools({ url: 'http://127.0.0.1' })[kind].contract.name;
