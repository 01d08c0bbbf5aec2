import { z } from 'zod';
import { rfc8785Text } from '../../identity/canonical.ts';
import { fingerprint, type Fingerprint } from '../../identity/fingerprint.ts';
import { InvalidArguments } from '../../identity/invalid-arguments.ts';
import { parsePlainJson } from '../../identity/parse-plain-json.ts';
import type { IdentityRules } from '../identity-rules.ts';

/**
 * What a stored request would be under a new contract: `match`, the same fingerprint; `mismatch`, another one, so that
 * a redelivery under the new contract would be refused; `impossible`, it cannot be rebuilt.
 */
export interface PayloadVerdict {
  operation_key: string | null;
  verdict: 'match' | 'mismatch' | 'impossible';
  /** Names fields and rules, never values. Null of a match. */
  reason: string | null;
}

const fields = z.record(z.string(), z.unknown());
const payloadSchema = z
  .strictObject({
    tenant_id: z.string().min(1),
    arguments: fields.optional(),
    material: fields.optional(),
    tool: z.string().optional(),
    operation_key: z.string().optional(),
    request_fingerprint: z.string().optional(),
  })
  .refine(
    (payload) => (payload.arguments === undefined) !== (payload.material === undefined),
    'It has neither or both of arguments and material.',
  );
type Payload = z.output<typeof payloadSchema>;

const MASKED = '••••';

/**
 * Judges one line of a payload file: `{ tenant_id, arguments }`, or `material` as the sealed request has it, with
 * `operation_key` and `request_fingerprint` where they are known.
 */
export function checkPayload(line: string, from: IdentityRules, to: IdentityRules): PayloadVerdict {
  const payload = readPayload(line);
  if (typeof payload === 'string') return { operation_key: null, verdict: 'impossible', reason: payload };
  const named = { operation_key: payload.operation_key ?? null };
  const impossible = (reason: string): PayloadVerdict => ({ ...named, verdict: 'impossible', reason });
  const masked = Object.entries(from.material).find(
    ([name, { sensitive }]) =>
      sensitive === true && JSON.stringify(argumentsOf(payload)[name])?.includes(MASKED),
  );
  if (masked !== undefined)
    return impossible(`${masked[0]} is masked; take the request from the sealed copy`);
  const before = identityUnder(from, payload);
  if (typeof before === 'string') return impossible(`not a request of the old contract: ${before}`);
  if (payload.request_fingerprint !== undefined && payload.request_fingerprint !== before.fingerprint)
    return impossible(
      'the stored fingerprint is another one, so that these are not the arguments it was made of',
    );
  const after = identityUnder(to, payload);
  if (typeof after === 'string') return impossible(after);
  if (after.fingerprint === before.fingerprint) return { ...named, verdict: 'match', reason: null };
  return { ...named, verdict: 'mismatch', reason: differences(from, to, before, after).join('; ') };
}

function readPayload(line: string): Payload | string {
  try {
    const parsed = payloadSchema.safeParse(parsePlainJson(line));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return `not a stored request: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}`;
  } catch (error) {
    if (error instanceof InvalidArguments) return `not JSON: ${error.message}`;
    throw error;
  }
}

const argumentsOf = (payload: Payload): { readonly [name: string]: unknown } =>
  payload.arguments ?? payload.material ?? {};

function identityUnder(rules: IdentityRules, payload: Payload): Fingerprint | string {
  try {
    return fingerprint(rules, payload.tenant_id, argumentsOf(payload));
  } catch (error) {
    if (error instanceof InvalidArguments) return `${error.path}: ${error.message}`;
    throw error;
  }
}

function differences(
  from: IdentityRules,
  to: IdentityRules,
  before: Fingerprint,
  after: Fingerprint,
): string[] {
  const renamed =
    from.name === to.name ? [] : [`the tool is called ${to.name}, and its name is in the fingerprint`];
  const names = new Set([...Object.keys(before.material), ...Object.keys(after.material)]);
  const changed = [...names].flatMap((name) => {
    const [old, now] = [before.material[name], after.material[name]];
    if (now === undefined) return [`${name} no longer identifies the request`];
    if (old === undefined) return [`${name} identifies the request now (${rulesOf(to, name)})`];
    if (rfc8785Text(old) === rfc8785Text(now)) return [];
    return [
      `${name} has another value under the new rules (${rulesOf(from, name)}, now ${rulesOf(to, name)})`,
    ];
  });
  return [...renamed, ...changed];
}

function rulesOf({ material }: IdentityRules, name: string): string {
  const rules = material[name]?.rules.map((rule) => (typeof rule === 'string' ? rule : 'default')) ?? [];
  return rules.length === 0 ? 'no rules' : rules.join(', ');
}
