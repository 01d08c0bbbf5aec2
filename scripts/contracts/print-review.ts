import type { Review } from '../../lib/executor/contract/review/lint-contract.ts';
import { table, wrap } from './wrap.ts';

/** A review for people: what is wrong first, then what is open, the worksheet, the risks and the decision. */
export function printReview(review: Review): string {
  return [
    heading(review),
    findings(review.errors, 'Errors: what cannot stay as it is', ['line', 'field', 'what is wrong']),
    findings(review.open, 'Open decisions: what nobody answered yet', ['line', 'field', 'question']),
    worksheet(review),
    risks(review),
    decision(review),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function heading({ tool, version, file, digest }: Review): string {
  const name =
    tool === null ? 'A contract without a name' : `${tool}${version === null ? '' : `@${version}`}`;
  return `${name}  (${file})\n${digest === null ? 'No digest yet: the contract is not complete.' : `Digest ${digest}`}`;
}

const lineOf = (line: number | null): string => (line === null ? '–' : String(line));

function findings(found: Review['errors'], title: string, heads: readonly string[]): string {
  if (found.length === 0) return '';
  const rows = found.map(({ line, path, message }) => [lineOf(line), path || '(the whole)', message]);
  return `${title} (${found.length})\n${table(heads, rows)}`;
}

function worksheet({ worksheet: rows }: Review): string {
  if (rows.length === 0) return '';
  const flags = rows.filter((row) => row.red_flag !== null).length;
  const lines = rows.flatMap(({ question, evidence, answer, red_flag: flag }) => [
    `  ${question}`,
    wrap('    says', answer, 15),
    ...(flag === null ? [] : [wrap('    RED FLAG', flag, 15), wrap('    ask for', evidence, 15)]),
  ]);
  return `Worksheet (${flags === 0 ? 'no red flag' : `${flags} red flag${flags === 1 ? '' : 's'}`})\n${lines.join('\n')}`;
}

function risks({ risks: found }: Review): string {
  if (found.length === 0) return '';
  const rows = found.map(({ line, risk, message }) => [lineOf(line), risk, message]);
  return `Risks: what may still happen (${found.length})\n${table(['line', 'risk', 'what it means'], rows)}`;
}

const CONDITIONS: readonly (readonly [keyof Review['conditions'], string])[] = [
  ['stable_operation', 'a stable logical operation is identified'],
  ['durable_claim', 'the claim is durable and unique'],
  ['authoritative_receipt', 'an authoritative receipt can be retrieved'],
  ['downstream_deduplicates', 'the downstream deduplicates'],
];

function decision({
  decision: allowed,
  decision_because: because,
  conditions,
  stated_decision: stated,
}: Review): string {
  const lines = CONDITIONS.map(([condition, text]) => `  ${conditions[condition] ? 'yes' : 'no '}  ${text}`);
  const says = stated === null || stated === allowed ? '' : ` The contract says ${stated}.`;
  return `${wrap('Decision', `${allowed}. ${because}${says}`, 10)}\n${lines.join('\n')}`;
}
