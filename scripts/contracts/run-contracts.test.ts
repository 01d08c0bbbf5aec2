import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passedRun } from '../../lib/executor/contract/review/testing/reviewed.ts';
import { runContracts } from './run-contracts.ts';

const EXAMPLE = 'docs/examples/tickets.create.yaml';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'replay-desk-contracts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const contracts = (...words: string[]) => runContracts(words);

function written(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('npm run contracts -- lint', () => {
  test('prints a review whose JSON has the stated shape, and exits 0 where nothing is wrong', async () => {
    const { code, out } = await contracts('lint', EXAMPLE, '--json', '-');
    expect(code).toBe(0);
    const review = JSON.parse(out) as { worksheet: object[]; file: string };
    expect(review).toMatchObject({ file: EXAMPLE, errors: [], open: [], risks: [], decision: 'manual' });
    expect(review.worksheet).toHaveLength(10);
    expect(Object.keys(review.worksheet[0] ?? {})).toEqual(['question', 'evidence', 'answer', 'red_flag']);
  });

  test('exits 1 on an error, and says its line to people and to programs', async () => {
    const file = written(
      'wrong.yaml',
      readFileSync(EXAMPLE, 'utf8').replace('lease_seconds: 4', 'lease_seconds: 0'),
    );
    const report = path.join(folder, 'report.json');
    const { code, out } = await contracts('lint', file, '--json', report);
    expect(code).toBe(1);
    expect(out).toMatch(/Errors: .* \(1\)\n.*\n {2}\d+ +lease_seconds/);
    const { errors } = JSON.parse(readFileSync(report, 'utf8')) as { errors: object[] };
    expect(errors).toEqual([
      {
        path: 'lease_seconds',
        line: expect.any(Number) as number,
        column: 1,
        message: expect.any(String) as string,
      },
    ]);
  });

  test('reviews a contract of the demo by name, and names those that there are', async () => {
    expect(await contracts('lint', '--tool', 'payments.charge')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^payments\.charge@/) as string,
    });
    expect(await contracts('lint', '--tool', 'none')).toMatchObject({
      code: 1,
      err: expect.stringContaining('it has invoices.generate, messages.send') as string,
    });
  });

  test.each([
    [[]],
    [['lint']],
    [['lint', 'none.yaml']],
    [['lint', EXAMPLE, 'more']],
    [['lint', EXAMPLE, '--jso']],
  ])('exits 1 with a sentence and without a stack: %j', async (words) => {
    const { code, err } = await contracts(...words);
    expect(code).toBe(1);
    expect(err.length).toBeGreaterThan(10);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe('npm run contracts -- sign', () => {
  test('signs a run of this digest for each role and writes the decision, and refuses a run of another', async () => {
    const file = path.join(folder, 'signed.yaml');
    copyFileSync(EXAMPLE, file);
    const { digest } = JSON.parse((await contracts('lint', file, '--json')).out) as { digest: string };
    const started_at = new Date().toISOString();
    const run = written('run.json', JSON.stringify(passedRun(digest, { started_at })));
    const other = written('other.json', JSON.stringify(passedRun('sha256:00', { started_at })));
    const sign = (role: string, of: string) =>
      contracts('sign', file, '--run', of, '--role', role, '--person', 'R. Nakamura');

    expect(await sign('security', other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('run of another contract') as string,
    });
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(EXAMPLE, 'utf8'));
    for (const role of ['downstream', 'security', 'operations'])
      expect(await sign(role, run)).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toMatch(/^decision: automate # /m);
    const { code, out } = await contracts('lint', file);
    expect([code, /Decision +(\w+)/.exec(out)?.[1]]).toEqual([0, 'automate']);
    expect(await sign('model', run)).toMatchObject({ code: 1 });
  });
});

describe('npm run contracts -- check', () => {
  test('exits 1 when a stored request would not match or cannot be rebuilt, and names each', async () => {
    const next = written(
      'next.yaml',
      readFileSync(EXAMPLE, 'utf8').replace(
        'subject: { rules: [trim, ',
        'subject: { rules: [lowercase, trim, ',
      ),
    );
    const payload = (subject: string, more = {}) =>
      JSON.stringify({
        tenant_id: 'acme',
        operation_key: `acme:production:run:${subject.length}`,
        arguments: { queue_id: 'support', subject, body: 'x', customer_id: 'cus_1', ...more },
      });
    const all = written(
      'all.jsonl',
      `${payload('refund')}\n${payload('Refund!')}\n\n${payload('late', { urgent: true })}\n`,
    );
    const { code, out } = await contracts('check', next, '--against', EXAMPLE, '--payloads', all, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      matches: 1,
      mismatches: 1,
      impossible: 1,
      rows: [
        { line: 1, verdict: 'match' },
        { line: 2, verdict: 'mismatch', reason: expect.stringContaining('subject') as string },
        { line: 4, verdict: 'impossible', reason: expect.stringContaining('urgent') as string },
      ],
    });
    const good = written('good.jsonl', payload('refund'));
    expect(await contracts('check', next, '--against', EXAMPLE, '--payloads', good)).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 of 1 stored requests match') as string,
    });
    const empty = written('empty.jsonl', '\n');
    expect(await contracts('check', next, '--against', EXAMPLE, '--payloads', empty)).toMatchObject({
      code: 1,
    });
  });
});
