import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CHECKS, MUTANTS, type Check, type Mutant } from './mutants-list.ts';
import { mutate } from './mutate.ts';
import { runStep } from './run-step.ts';

/**
 * Takes each rule and each guard away, one at a time, in a copy of this repository, and says what went red. Ends with 1
 * where a mutant survives, where a check is red without one, or where a mutant is not of this source any more.
 */
const { values } = parseArgs({
  options: { json: { type: 'string' }, only: { type: 'string' }, part: { type: 'string', default: '1/1' } },
});
const [, first = '', every = ''] = /^(\d+)\/(\d+)$/.exec(values.part) ?? [];
if (first === '' || Number(first) < 1 || Number(first) > Number(every))
  throw new Error('--part takes one of several parts, such as 1/12');

const chosen = MUTANTS.filter(
  ({ rule }, n) =>
    n % Number(every) === Number(first) - 1 && (values.only === undefined || rule.includes(values.only)),
);
if (chosen.length === 0) throw new Error(`no mutant is called ${values.only}`);

const root = process.cwd();
const copy = mkdtempSync(path.join(tmpdir(), 'mutants-'));
const say = (words: string) => console.error(words);

/** The repository as it stands, with the modules that are installed. */
function copyRepository(): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(copy, file));
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
}

const green = new Map<Check, boolean>();

/** Whether a check is green in the copy as it is now. */
async function isGreen(check: Check): Promise<boolean> {
  const [program, ...args] = CHECKS[check];
  const command = program === 'node' ? process.execPath : path.join(root, 'node_modules/.bin', program);
  const { ok } = await runStep(command, args, { cwd: copy });
  return ok;
}

async function killerOf({ changes, checks }: Mutant): Promise<Check | null> {
  for (const check of checks) {
    if (!green.has(check)) green.set(check, await isGreen(check));
    if (green.get(check) === false) throw new Error(`${check} is red without any mutant`);
  }
  const files = new Map(changes.map(({ file }) => [file, readFileSync(path.join(copy, file), 'utf8')]));
  try {
    for (const { file, from, to } of changes)
      writeFileSync(
        path.join(copy, file),
        mutate(readFileSync(path.join(copy, file), 'utf8'), from, to, file),
      );
    for (const check of checks) if (!(await isGreen(check))) return check;
    return null;
  } finally {
    for (const [file, text] of files) writeFileSync(path.join(copy, file), text);
  }
}

const mutants: { rule: string; killed: boolean; by: string | null }[] = [];
try {
  copyRepository();
  for (const [n, one] of chosen.entries()) {
    const by = await killerOf(one);
    mutants.push({ rule: one.rule, killed: by !== null, by });
    say(`${n + 1}/${chosen.length}  ${by === null ? 'SURVIVED' : `killed by ${by}`}  ${one.rule}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

const json = JSON.stringify({ mutants }, null, 2);
if (values.json === '-' || values.json === '') console.log(json);
else if (values.json !== undefined) writeFileSync(values.json, `${json}\n`);
const survivors = mutants.filter(({ killed }) => !killed);
say(`${mutants.length - survivors.length} of ${mutants.length} mutants killed`);
process.exitCode = survivors.length === 0 ? 0 : 1;
