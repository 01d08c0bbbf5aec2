import * as z from 'zod/mini';
import { consoleSql } from '../../db/client.ts';
import { askLookup as statement } from '../../db/queries/lookup_requests/ask-lookup.ts';
import type { Caller } from '../auth/caller.ts';
import { REFUSALS } from '../domain/verdict.ts';
import { ServiceError } from '../errors.ts';
import type { Asked, AskLookupInput } from '../shapes/decision.ts';
import type { Scope } from '../shapes/scope.ts';
import { requireGrant } from './require-grant.ts';

const answer = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['asked', 'already_asked']), request_id: z.string() }),
  z.object({
    outcome: z.literal('refused'),
    refusal: z.enum(REFUSALS),
    retry_after_seconds: z.nullish(z.number()),
  }),
  z.object({ outcome: z.literal('request_id_reused') }),
  z.object({ outcome: z.literal('not_found') }),
]);

/** Asks the application's reconciler to look one operation up. The answer becomes evidence and settles nothing. */
export async function askLookup(
  caller: Caller,
  scope: Scope,
  operationKey: string,
  input: AskLookupInput,
): Promise<Asked> {
  await requireGrant(caller, scope);
  const said = answer.parse(
    await statement(consoleSql(), {
      userId: caller.user.id,
      tenantId: scope.tenant,
      environment: scope.environment,
      operationKey,
      requestId: input.request_id,
    }),
  );
  if (said.outcome === 'request_id_reused')
    throw new ServiceError(
      'unprocessable',
      'This request id was used for another operation. Nothing was asked.',
    );
  if (said.outcome === 'not_found')
    throw new ServiceError('not_found', 'There is no operation with this key, or it is not open to you.');
  if (said.outcome === 'refused') {
    const isRole = said.refusal === 'not_granted';
    throw new ServiceError(
      isRole ? 'forbidden' : 'conflict',
      isRole
        ? 'Your role here cannot ask. An operator of this tenant and environment can.'
        : 'This tool has no lookup. Nothing was asked.',
      { details: { refusal: said.refusal } },
    );
  }
  return { outcome: said.outcome, request_id: said.request_id };
}
