import { z } from 'zod';

/** What Deskline keeps as rows that can be read back. */
export const RESOURCES = ['tickets', 'payments', 'refunds', 'messages', 'invoices'] as const;
export type Resource = (typeof RESOURCES)[number];

/** What Deskline counts effects of. Closing is an effect of its own, although its trace is the ticket. */
export const EFFECT_RESOURCES = [...RESOURCES, 'ticket_closures'] as const;
export type EffectResource = (typeof EFFECT_RESOURCES)[number];

/** A key stands in logs, URLs and the store's index: no control characters, no half surrogate pair. */
export const keyText = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'may not hold control characters or lone surrogates');

const name = z.string().min(1).max(200);
const prose = z.string().min(1).max(20_000);
const currency = z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters');
const amount = z.union([z.int().positive(), z.string().regex(/^(?!0+(\.0+)?$)\d{1,12}(\.\d{1,2})?$/)], {
  error: 'must be a positive integer or a decimal string such as "12.50"',
});

interface ResourceDefinition {
  prefix: string;
  firstNumber: number;
  /** Whether a row also sends somebody a notice. A message is the notice. */
  notifies: boolean;
  /** What the service itself adds to a new row. */
  initial: { status: string; note: string };
  body: z.ZodObject;
}

const clientReference = { client_reference: keyText.optional() };

export const DEFINITIONS: Record<Resource, ResourceDefinition> = {
  tickets: {
    prefix: 'ticket',
    firstNumber: 1042,
    notifies: true,
    initial: { status: 'open', note: 'Ticket filed, customer notified' },
    body: z.strictObject({
      queue_id: name,
      subject: prose,
      body: prose,
      customer_id: name,
      ...clientReference,
    }),
  },
  payments: {
    prefix: 'pay',
    firstNumber: 7731,
    notifies: true,
    initial: { status: 'succeeded', note: 'Payment taken, receipt mailed' },
    body: z.strictObject({ amount, currency, invoice_id: name, customer_id: name, ...clientReference }),
  },
  refunds: {
    prefix: 'refund',
    firstNumber: 2201,
    notifies: true,
    initial: { status: 'succeeded', note: 'Refund sent, receipt mailed' },
    body: z.strictObject({ payment_id: name, amount, currency, reason: prose, ...clientReference }),
  },
  messages: {
    prefix: 'msg',
    firstNumber: 5001,
    notifies: false,
    initial: { status: 'sent', note: 'Message handed to the carrier' },
    body: z.strictObject({ to: name, template: name, text: prose, ...clientReference }),
  },
  invoices: {
    prefix: 'invoice',
    firstNumber: 301,
    notifies: true,
    initial: { status: 'issued', note: 'Invoice issued, mailed to the customer' },
    body: z.strictObject({ order_id: name, amount, currency, customer_id: name, ...clientReference }),
  },
};

export const closeBody = z.strictObject({
  expected_version: z.int().positive().optional(),
  ...clientReference,
});

export function isResource(text: string | undefined): text is Resource {
  return RESOURCES.some((resource) => resource === text);
}
