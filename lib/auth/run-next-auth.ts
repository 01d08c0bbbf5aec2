import type { NextApiRequest, NextApiResponse } from 'next';
import NextAuth from 'next-auth';
import { need } from '../env.ts';
import { authOptions, PROVIDER } from './options.ts';

type Cookies = Readonly<Record<string, string>>;

export type AuthAnswer = {
  /** Where next-auth sends the browser; null if nowhere. */
  location: string | null;
  /** `Set-Cookie` lines. */
  cookies: string[];
  body: unknown;
};

/**
 * Runs one action of next-auth and answers what it would send. Its own routes are not published: they accept more
 * than a sign-in needs (a query that overrides what the provider is asked, a log that anybody writes to). Host and
 * scheme always come from NEXTAUTH_URL, whatever the request claims.
 */
export async function runNextAuth(call: {
  action: 'csrf' | 'signin' | 'callback';
  method: 'GET' | 'POST';
  cookies: Cookies;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, string>>;
}): Promise<AuthAnswer> {
  const base = new URL(need('NEXTAUTH_URL'));
  const request = {
    method: call.method,
    query: { ...call.query, nextauth: [call.action, PROVIDER] },
    cookies: call.cookies,
    headers: { 'x-forwarded-host': base.host, 'x-forwarded-proto': base.protocol.replace(':', '') },
    body: call.body ?? {},
  };
  const response = new Response();
  await NextAuth(request as unknown as NextApiRequest, response as unknown as NextApiResponse, authOptions());
  return response.answer();
}

/** As much of Node's response as next-auth uses. */
class Response {
  readonly #headers = new Map<string, string | string[]>();
  #body: unknown = null;

  status(): this {
    return this;
  }
  getHeader(name: string): string | string[] | undefined {
    return this.#headers.get(name.toLowerCase());
  }
  setHeader(name: string, value: string | string[]): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }
  json(body: unknown): void {
    this.#body = body;
  }
  send(body: unknown): void {
    this.#body = body;
  }
  end(): void {}

  answer(): AuthAnswer {
    const location = this.#headers.get('location');
    return {
      location: typeof location === 'string' ? location : null,
      cookies: [this.#headers.get('set-cookie') ?? []].flat(),
      body: this.#body,
    };
  }
}
