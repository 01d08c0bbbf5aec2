import { expect, test, vi } from 'vitest';
import { ServiceError } from '../../lib/errors.ts';
import { orNotFound } from './or-not-found.ts';

vi.mock('next/navigation', () => ({
  notFound: () => {
    throw new Error('the page that says so');
  },
}));

test.each(['not_found', 'invalid'] as const)(
  'an address that is %s becomes the page that says so',
  async (code) => {
    await expect(orNotFound(Promise.reject(new ServiceError(code, 'No.')))).rejects.toThrow('the page');
  },
);

test('anything else stays an error', async () => {
  await expect(orNotFound(Promise.reject(new ServiceError('conflict', 'No.')))).rejects.toThrow('No.');
});
