import { describe, expect, test } from 'vitest';
import { endpoints, keyTail, pages, shortFingerprint } from './addresses.ts';

const scope = { tenant: 'acme', environment: 'production' };

describe('addresses', () => {
  test('a key is encoded once, so that a percent-encoded part survives the way', () => {
    const key = 'acme:production:run%3A8/2:step a';
    const address = pages.case(scope, key);
    expect(address).toBe('/acme/production/queue/acme%3Aproduction%3Arun%253A8%2F2%3Astep%20a');
    expect(decodeURIComponent(address.split('/').at(-1) ?? '')).toBe(key);
    expect(endpoints.decisions(scope, key)).toBe(
      `/api/operations/acme/production/${encodeURIComponent(key)}/decisions`,
    );
  });

  test('[B120] filters live in the address, empty ones do not', () => {
    expect(pages.operations(scope, { status: 'unknown', tool: null, q: 'ticket_1042' })).toBe(
      '/acme/production/operations?status=unknown&q=ticket_1042',
    );
  });

  test('a list shows what tells keys apart', () => {
    expect(keyTail(scope, 'acme:production:run_827:charge_card')).toBe('run_827:charge_card');
    expect(keyTail(scope, 'legacy-key')).toBe('legacy-key');
    expect(shortFingerprint('sha256:9f2c41aa00')).toBe('9f2c41aa');
  });
});
