import type { Contract } from './contract/contract.ts';
import { InvalidContract, type ContractProblem } from './contract/invalid-contract.ts';
import { assertEveryFieldListed, assertNoIdentityInSchema } from './contract/tool-input.ts';
import type { PlainJson } from './identity/plain-json.ts';

/** Any validator of the Standard Schema convention (zod, valibot, arktype …); https://standardschema.dev */
export interface InputSchema<Args> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Args> | Promise<SchemaResult<Args>>;
    /** Standard JSON Schema, where the validator has it: then the properties are checked at registration. */
    readonly jsonSchema?: {
      readonly input: (options: { target: 'draft-2020-12' }) => { readonly [keyword: string]: unknown };
    };
  };
}
type SchemaResult<Args> =
  { readonly value: Args; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };
interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** One request to the downstream under one lease token. */
export interface EffectCall<Args> {
  arguments: Args;
  tenantId: string;
  environment: string;
  /** Send it as the downstream's idempotency key; the same on every attempt. */
  downstreamKey: string;
  /** Send it as the request id of this attempt; recorded before the send. */
  requestId: string;
  attempt: number;
  /** Aborts when the call budget is over; nothing may be written to the wire after it. */
  signal: AbortSignal;
}

/**
 * What the downstream answered. Only what is certain has a kind: throw, or answer `unclear`, for everything else.
 * - `done`: the effect happened; `answer` is the downstream's answer, from which receipt, postcondition and replay
 *   fields are taken by the contract. An answer that is not an object is kept whole; `reference` is the receipt where
 *   it does not stand in the answer (a header).
 * - `refused`: definitively not done, and never will be under this request.
 * - `not_now`: provably not done this time (rate limit, maintenance).
 * - `accepted`: the downstream owns a job now, whose end is asked for later; `jobId` is its name there.
 * - `in_progress`: the downstream says that the same key is being processed: evidence, never a refusal.
 */
export type EffectAnswer =
  | { kind: 'done'; answer: unknown; reference?: string; committedAt?: string }
  | { kind: 'refused'; code: string }
  | { kind: 'not_now'; retryAfterSeconds?: number }
  | { kind: 'accepted'; jobId: string }
  | { kind: 'in_progress' }
  | { kind: 'unclear'; because: string };

/** Throw it where no byte of the request reached the wire (name not resolved, connection refused). */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/**
 * Throw it from a lookup that could not be answered, with a sentence for people: it is stored and shown. Of any other
 * error only the kind is, because a provider's own words can hold the request.
 */
export class LookupFailed extends Error {
  override readonly name = 'LookupFailed';
}

/** A question to the system of record about one operation. */
export interface LookupQuestion {
  tenantId: string;
  environment: string;
  downstreamKey: string;
  requestId: string | null;
  providerJobId: string | null;
  /** Material fields after redaction. */
  request: { readonly [field: string]: PlainJson };
  signal: AbortSignal;
}

/** What the system of record answered. A lookup that throws has failed, and proves nothing. */
export type LookupAnswer =
  | {
      answer: 'found';
      reference: string;
      record: { readonly [field: string]: unknown };
      committedAt?: string;
      /** What has become of a message, such as `delivered`. */
      deliveryState?: string;
    }
  | { answer: 'absent' }
  | { answer: 'pending' }
  | { answer: 'refused'; because: string }
  | { answer: 'ambiguous'; because: string };

/** Whether a precondition holds; one that cannot come to hold any more is `permanent`. */
export type PreconditionAnswer = { holds: true } | { holds: false; permanent: boolean };

/** A method's type, so that a tool of any arguments is a tool: its own schema has checked them. */
export type Precondition<Args> = {
  ask(call: EffectCall<Args>): Promise<PreconditionAnswer>;
}['ask'];

/** A question for one page of the provider's list of effects, oldest first. */
export interface ListQuestion {
  tenantId: string;
  environment: string;
  /** The `next` of the page before; null for the first. */
  after: string | null;
  signal: AbortSignal;
}

/** One page: every effect of this tool that the provider shows, whoever made it. */
export interface EffectPage {
  effects: readonly {
    reference: string;
    /** The idempotency key that came with it; null where the provider keeps none. */
    downstreamKey: string | null;
    /** ISO 8601; the provider's word. */
    committedAt: string;
  }[];
  /** A cursor that stays good; null on the last page. */
  next: string | null;
}

/** A side-effecting tool: its contract, its input, its effect, and what may be asked about it. */
export interface Tool<Args = unknown> {
  contract: Contract;
  input: InputSchema<Args>;
  effect(call: EffectCall<Args>): Promise<EffectAnswer>;
  lookup?(question: LookupQuestion): Promise<LookupAnswer>;
  /** Asks for the end of a job by `providerJobId` or key: `found` and `refused` are its last word. */
  pollJob?(question: LookupQuestion): Promise<LookupAnswer>;
  /** One for each name of the contract's `preconditions`; asked immediately before the effect. What throws sends nothing. */
  preconditions?: { readonly [name: string]: Precondition<Args> };
  /** The target's version now, compared immediately before the effect with the contract's `version_condition`. */
  targetVersion?(call: EffectCall<Args>): Promise<PlainJson>;
  /** Lists what the provider has for one tenant and environment, for reverse reconciliation. */
  listEffects?(question: ListQuestion): Promise<EffectPage>;
}

/**
 * Types a tool's effect by its input schema, and refuses what its contract does not carry: a lookup that only one of
 * them has, a property that the contract lists neither as material nor as ignored, or one that names identity.
 * @throws {InvalidContract} naming each offender
 */
export function defineTool<Args>(tool: Tool<Args>): Tool<Args> {
  const { contract } = tool;
  const problems = [...partProblems(tool)];
  if (problems.length > 0) throw new InvalidContract(`${contract.name}@${contract.version}`, problems);
  const schema = tool.input['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
  if (schema !== undefined) {
    assertNoIdentityInSchema(propertiesIn(schema));
    assertEveryFieldListed(contract, Object.keys(asObject(schema['properties'])));
  }
  return tool;
}

/** What the contract promises and the tool has no means for, or the other way round. */
function* partProblems<Args>(tool: Tool<Args>): Generator<ContractProblem, void, undefined> {
  const { contract } = tool;
  if ((contract.lookup !== undefined) !== (tool.lookup !== undefined))
    yield {
      path: 'lookup',
      sentence: contract.lookup
        ? 'The contract has a lookup and the tool has none; give the tool the function.'
        : 'The tool has a lookup and the contract has none; say in the contract what its answer proves.',
    };
  const promised = Object.keys(contract.preconditions ?? {});
  const given = Object.keys(tool.preconditions ?? {});
  for (const name of promised.filter((one) => !given.includes(one)))
    yield {
      path: `preconditions.${name}`,
      sentence: 'The tool has no function of this name; give it one, or take it out of the contract.',
    };
  for (const name of given.filter((one) => !promised.includes(one)))
    yield {
      path: `preconditions.${name}`,
      sentence: 'The tool has this precondition and the contract does not say it; say what must hold.',
    };
  if (tool.targetVersion !== undefined && contract.version_condition === undefined)
    yield {
      path: 'version_condition',
      sentence: 'The tool reads its target’s version; name the material field that it is compared with.',
    };
  if (contract.security?.verify_target_version === true && tool.targetVersion === undefined)
    yield {
      path: 'security.verify_target_version',
      sentence: 'The tool cannot read its target’s version; give it targetVersion, or take the promise back.',
    };
  if ((contract.job_seconds !== undefined) !== (tool.pollJob !== undefined))
    yield {
      path: 'job_seconds',
      sentence: contract.job_seconds
        ? 'The downstream answers with jobs; give the tool pollJob, which asks for their end.'
        : 'The tool polls jobs; say in the contract how long one may take.',
    };
}

const asObject = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null ? (value as { readonly [name: string]: unknown }) : {};

/** The names of all properties of a JSON schema, nested ones too. */
function propertiesIn(schema: unknown): string[] {
  const here = asObject(schema);
  return [
    ...Object.keys(asObject(here['properties'])),
    ...Object.values(here).flatMap((value) => (typeof value === 'object' ? propertiesIn(value) : [])),
  ];
}
