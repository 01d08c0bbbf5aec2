import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  draftOfContract,
  loadContract,
  type Draft,
} from '../lib/executor/contract/document/load-contract.ts';
import { readIdentityRules, type IdentityRules } from '../lib/executor/contract/identity-rules.ts';
import { InvalidContract } from '../lib/executor/contract/invalid-contract.ts';
import { checkPayload } from '../lib/executor/contract/review/check-payload.ts';
import { readFaultRun, type FaultRun } from '../lib/executor/contract/review/fault-run.ts';
import { lintContract } from '../lib/executor/contract/review/lint-contract.ts';
import { signDocument, type SigningRole } from '../lib/executor/contract/review/sign-document.ts';
import { SIGNING_ROLES } from '../lib/executor/contract/contract-parts.ts';
import { messagesSend } from '../lib/demo/tools/messages-send.ts';
import { paymentsCharge } from '../lib/demo/tools/payments-charge.ts';
import { refundsCreate } from '../lib/demo/tools/refunds-create.ts';
import { ticketsClose } from '../lib/demo/tools/tickets-close.ts';
import { ticketsCreate } from '../lib/demo/tools/tickets-create.ts';
import { printCheck, type Check } from './contracts/print-check.ts';
import { printReview } from './contracts/print-review.ts';

const USAGE = `usage:
  npm run contracts -- lint FILE [--run FAULTRUN.json] [--json FILE|-]
  npm run contracts -- lint --tool NAME                      (a contract of the demo)
  npm run contracts -- sign FILE --run FAULTRUN.json --role ${SIGNING_ROLES.join('|')} --person NAME
  npm run contracts -- check NEW --against OLD --payloads FILE.jsonl [--json FILE|-]
FILE is a contract in YAML or JSON.`;

const DEMO_TOOLS = [messagesSend, paymentsCharge, refundsCreate, ticketsClose, ticketsCreate];

/** What is wrong with the command itself: printed without a stack. */
class CommandError extends Error {}

/** `npm run contracts`: exits 1 where the contract has an error, a sign-off is refused, or a request does not match. */
function main(argv: string[]): void {
  const { values, positionals } = parseArgs({
    args: argv.flatMap((word, index) =>
      word === '--json' && (argv[index + 1] ?? '--').startsWith('--') ? ['--json', '-'] : [word],
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
  if (command === 'lint') lint(values.tool === undefined ? draftIn(file) : demoDraft(values.tool), values);
  else if (command === 'sign') sign(required(file, 'FILE'), values);
  else if (command === 'check') check(required(file, 'NEW'), values);
  else throw new CommandError(USAGE);
}

interface Values {
  json?: string | undefined;
  run?: string | undefined;
  role?: string | undefined;
  person?: string | undefined;
  against?: string | undefined;
  payloads?: string | undefined;
}

function lint(draft: Draft, { run, json }: Values): void {
  const review = lintContract(draft, {
    now: Date.now(),
    ...(run !== undefined && { run: faultRunIn(run) }),
  });
  print(review, printReview(review), json);
  if (review.errors.length > 0) process.exitCode = 1;
}

function sign(file: string, { run, role, person }: Values): void {
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
  console.log(
    signed.decision === null
      ? `${file} is signed for ${role}. The decision is written when ${signed.missing.join(' and ')} signed this digest too.`
      : `${file} is signed for ${role}, the last of three: the decision is ${signed.decision}.`,
  );
}

function check(file: string, { against, payloads, json }: Values): void {
  const to = rulesIn(file);
  const from = rulesIn(required(against, '--against'));
  const lines = read(required(payloads, '--payloads')).split('\n');
  const rows = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ line: index + 1, ...checkPayload(line, from, to) }],
  );
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
  print(result, printCheck(result), json);
  if (rows.length === 0) throw new CommandError(`${payloads} holds no request; nothing was checked.`);
  if (result.matches < rows.length) process.exitCode = 1;
}

function draftIn(file: string | undefined): Draft {
  const name = required(file, 'FILE');
  return loadContract(read(name), name);
}

function demoDraft(name: string): Draft {
  const contracts = DEMO_TOOLS.map((tool) => tool({ url: '' }).contract);
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
  const run = readFaultRun(read(file));
  if (typeof run === 'string') throw new CommandError(`${file}: ${run}`);
  return run;
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

function print(result: unknown, text: string, json: string | undefined): void {
  const data = `${JSON.stringify(result, null, 2)}\n`;
  if (json === '-') process.stdout.write(data);
  else console.log(text);
  if (json !== undefined && json !== '-') writeFileSync(json, data);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  const known =
    error instanceof CommandError ||
    error instanceof InvalidContract ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  if (!known) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
