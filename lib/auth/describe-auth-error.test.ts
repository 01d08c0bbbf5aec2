import { expect, test } from 'vitest';
import { describeAuthError } from './describe-auth-error.ts';

const oauth = (message: string, more: object = {}) => Object.assign(new Error(message), more);

test('[S11] of an OAuth error only its closed part is told', () => {
  const secret = 'eyJhbGciOiJ.canary.token';
  expect(describeAuthError({ error: oauth(`state mismatch, expected ${secret}, got: x`) })).toEqual({
    error: 'Error',
    reason: 'state mismatch',
  });
  expect(describeAuthError(oauth(`invalid_grant (${secret})`, { error: 'invalid_grant' }))).toEqual({
    error: 'Error',
    oauthCode: 'invalid_grant',
  });
  expect(describeAuthError({ error: oauth('connect to secret', { code: 'ECONNREFUSED' }) })).toEqual({
    error: 'Error',
    networkCode: 'ECONNREFUSED',
  });
  expect(describeAuthError({ error: secret })).toEqual({});
});

test('[S10] the provider’s own words are not told', () => {
  const error = oauth('\u202e\u001b[31m', { error: '\u001b[31m', code: 'x\ny' });
  expect(describeAuthError({ error, error_description: '\r\ninjected' })).toEqual({ error: 'Error' });
});
