import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { desklineControl, type DesklineControl } from './client.ts';
import type { Resource } from './resources.ts';
import { startDeskline, type Deskline, type DesklineOptions } from './start-deskline.ts';

/** What a caller saw: an answer, or `null` where the connection broke before a whole one came. */
export type Seen = { status: number; headers: Record<string, string>; text: string } | null;

export interface Bench {
  deskline: Deskline;
  dir: string;
  control: DesklineControl;
  /** Moves the service's clock. */
  advance: (ms: number) => void;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Seen>;
  get: (path: string, headers?: Record<string, string>) => Promise<Seen>;
}

/** A Deskline of its own for one test, with a clock that stands still unless moved. */
export async function startBench(options: Partial<DesklineOptions> = {}): Promise<Bench> {
  const dir = await temporaryFolder();
  let instant = Date.parse('2025-06-02T09:00:00Z');
  const deskline = await startDeskline({ port: 0, dir, now: () => instant, ...options });
  onTestFinished(() => deskline.close());
  return {
    deskline,
    dir,
    control: desklineControl(deskline.url),
    advance: (ms) => {
      instant += ms;
    },
    post: (path, body, headers) => exchangeWith(deskline.url, 'POST', path, headers, JSON.stringify(body)),
    get: (path, headers) => exchangeWith(deskline.url, 'GET', path, headers),
  };
}

export async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'deskline-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** One request on a connection of its own, without any repetition of the client's. */
export function exchangeWith(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
  signal?: AbortSignal,
): Promise<Seen> {
  return new Promise((resolve) => {
    const outgoing = httpRequest(
      `${url}${path}`,
      {
        method,
        agent: false,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(signal ? { signal } : {}),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve(null));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            ),
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    outgoing.on('error', () => resolve(null));
    outgoing.end(body);
  });
}

/** The answer's JSON; fails the test when there is none. */
export function json(seen: Seen): Record<string, unknown> {
  if (!seen) throw new Error('the connection broke before an answer');
  return JSON.parse(seen.text) as Record<string, unknown>;
}

export function errorCode(seen: Seen): unknown {
  const error = json(seen)['error'];
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** A valid body for each resource. */
export const BODIES: Record<Resource, Record<string, unknown>> = {
  tickets: { queue_id: 'billing', subject: 'Charged twice', body: 'See invoice', customer_id: 'cus_9' },
  payments: { amount: 1250, currency: 'EUR', invoice_id: 'inv_7', customer_id: 'cus_9' },
  refunds: { payment_id: 'pay_7731', amount: '12.50', currency: 'EUR', reason: 'Charged twice' },
  invoices: { order_id: 'ord_3', amount: 1250, currency: 'EUR', customer_id: 'cus_9' },
  messages: { to: 'cus_9', template: 'refund_done', text: 'Your refund is on its way.' },
};

/** Resolves once `holds` does; for states that another process or connection brings about. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
