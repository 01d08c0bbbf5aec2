import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  draftOfContract,
  loadContract,
  type Draft,
} from '../../lib/executor/contract/document/load-contract.ts';
import { readIdentityRules, type IdentityRules } from '../../lib/executor/contract/identity-rules.ts';
import { InvalidContract } from '../../lib/executor/contract/invalid-contract.ts';
import { checkPayload } from '../../lib/executor/contract/review/check-payload.ts';
import { readFaultRun, type FaultRun } from '../../lib/executor/contract/review/fault-run.ts';
import { lintContract } from '../../lib/executor/contract/review/lint-contract.ts';
import { signDocument, type SigningRole } from '../../lib/executor/contract/review/sign-document.ts';
import { SIGNING_ROLES } from '../../lib/executor/contract/contract-parts.ts';
import { printCheck, type Check } from './print-check.ts';
import { printReview } from './print-review.ts';

const USAGE = `usage:
  npm run contracts -- lint FILE [--run FAULTRUN.json] [--json FILE|-]
  npm run contracts -- lint --tool NAME                      (a contract of the demo)
  npm run contracts -- sign FILE --run FAULTRUN.json --role ${SIGNING_ROLES.join('|')} --person NAME
  npm run contracts -- check NEW --against OLD --payloads FILE.jsonl [--json FILE|-]
FILE is a contract in YAML or JSON.`;

/** What is wrong with the command itself: printed without a stack. */
class CommandError extends Error {}

/** What a command came to: its exit code, and what it prints. */
export interface Outcome {
  code: 0 | 1;
  out: string;
  err: string;
}

/**
 * `npm run contracts` with these words: code 1 where the contract has an error, a sign-off is refused, or a stored
 * request does not match.
 */
export async function runContracts(words: readonly string[]): Promise<Outcome> {
  try {
    return await perform(words);
  } catch (error) {
    const known =
      error instanceof CommandError ||
      error instanceof InvalidContract ||
      (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
    if (!known) throw error;
    return { code: 1, out: '', err: `${error.message}\n` };
  }
}

async function perform(words: readonly string[]): Promise<Outcome> {
  const { values, positionals } = parseArgs({
    args: words.flatMap((word, index) =>
      word === '--json' && (words[index + 1] ?? '--').startsWith('--') ? ['--json', '-'] : [word],
    ),
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      run: { type: 'string' },
      role: { type: 'string' },
      person: { type: 'string' },
      against: { type: 'string' },
      payloads: { type: 'string' },
      tool: { type: 'string' },
    },
  });
  const [command, file, ...rest] = positionals;
  if (rest.length > 0) throw new CommandError(`Unexpected: ${rest.join(' ')}\n${USAGE}`);
  if (command === 'lint')
    return lint(values.tool === undefined ? draftIn(file) : await demoDraft(values.tool), values);
  if (command === 'sign') return sign(required(file, 'FILE'), values);
  if (command === 'check') return check(required(file, 'NEW'), values);
  throw new CommandError(USAGE);
}

interface Values {
  json?: string | undefined;
  run?: string | undefined;
  role?: string | undefined;
  person?: string | undefined;
  against?: string | undefined;
  payloads?: string | undefined;
}

function lint(draft: Draft, { run, json }: Values): Outcome {
  const review = lintContract(draft, {
    now: Date.now(),
    ...(run !== undefined && { run: faultRunIn(run) }),
  });
  return report(review.errors.length === 0, review, printReview(review), json);
}

function sign(file: string, { run, role, person }: Values): Outcome {
  const signed = signDocument(read(file), file, {
    role: roleOf(required(role, '--role')),
    person: required(person, '--person'),
    run: faultRunIn(required(run, '--run')),
    now: Date.now(),
  });
  if ('refused' in signed)
    throw new CommandError(
      `${file} is not signed.\n${signed.refused.map((reason) => `- ${reason}`).join('\n')}`,
    );
  writeFileSync(file, signed.text);
  const rest =
    signed.decision === null
      ? `. The decision is written when ${signed.missing.join(' and ')} signed this digest too.`
      : `, the last of three: the decision is ${signed.decision}.`;
  return { code: 0, out: `${file} is signed for ${role}${rest}\n`, err: '' };
}

function check(file: string, { against, payloads, json }: Values): Outcome {
  const to = rulesIn(file);
  const from = rulesIn(required(against, '--against'));
  const lines = read(required(payloads, '--payloads')).split('\n');
  const rows = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ line: index + 1, ...checkPayload(line, from, to) }],
  );
  if (rows.length === 0) throw new CommandError(`${payloads} holds no request; nothing was checked.`);
  const count = (verdict: Check['rows'][number]['verdict']) =>
    rows.filter((row) => row.verdict === verdict).length;
  const result: Check = {
    new: file,
    old: against ?? '',
    rows,
    matches: count('match'),
    mismatches: count('mismatch'),
    impossible: count('impossible'),
  };
  return report(result.matches === rows.length, result, printCheck(result), json);
}

function draftIn(file: string | undefined): Draft {
  const name = required(file, 'FILE');
  return loadContract(read(name), name);
}

/** The demo is loaded only where it is asked for: it brings the whole executor with it. */
async function demoDraft(name: string): Promise<Draft> {
  const { demoContracts } = await import('./demo-contracts.ts');
  const contracts = demoContracts();
  const contract = contracts.find((each) => each.name === name);
  if (contract === undefined)
    throw new CommandError(
      `The demo has no tool ${name}; it has ${contracts.map((each) => each.name).join(', ')}.`,
    );
  return draftOfContract(contract, `demo:${name}`);
}

/** The rules of identity alone: what else is wrong or open in a contract does not change what equals what. */
function rulesIn(file: string): IdentityRules {
  const draft = draftIn(file);
  const wrong = [...draft.errors, ...draft.open].filter(({ path }) =>
    /^(|name|material|ignored)(\.|$)/.test(path),
  );
  if (wrong.length > 0)
    throw new CommandError(
      wrong.map(({ path, line, message }) => `${file}:${line ?? ''} ${path}: ${message}`).join('\n'),
    );
  return readIdentityRules(draft.stated);
}

function faultRunIn(file: string): FaultRun {
  const found = readFaultRun(read(file));
  if (typeof found === 'string') throw new CommandError(`${file}: ${found}`);
  return found;
}

function roleOf(role: string): SigningRole {
  const known = SIGNING_ROLES.find((each) => each === role);
  if (known === undefined)
    throw new CommandError(`--role is one of ${SIGNING_ROLES.join(', ')}, not ${role}.`);
  return known;
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new CommandError(`${name} is missing.\n${USAGE}`);
  return value;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new CommandError(`${file} cannot be read (${String(error.code)}).`);
    throw error;
  }
}

function report(passed: boolean, result: unknown, text: string, json: string | undefined): Outcome {
  const data = `${JSON.stringify(result, null, 2)}\n`;
  if (json !== undefined && json !== '-') writeFileSync(json, data);
  return { code: passed ? 0 : 1, out: json === '-' ? data : `${text}\n`, err: '' };
}
