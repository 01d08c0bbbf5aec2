import { capabilitiesOf } from '../capabilities.ts';
import type { Draft } from '../document/load-contract.ts';
import type { Stated } from '../stated.ts';
import { duration } from './duration.ts';

/** One row of the article's worksheet, filled in. */
export interface WorksheetRow {
  question: string;
  /** What a reviewer asks to see. */
  evidence: string;
  /** What the contract says. */
  answer: string;
  /** The gap that stands out, or null. A red flag is a design gap, not proof of a duplicate effect. */
  red_flag: string | null;
}

interface Question extends Pick<WorksheetRow, 'question' | 'evidence'> {
  /** The fields that answer it. */
  fields: readonly string[];
  /** Nothing where nothing answers it. */
  answer: (stated: Stated) => string | null | undefined;
  /** The article's red flag for this question, where it shows. */
  flag: (stated: Stated) => string | null;
}

const MODEL_IDENTITY =
  /tool.?call|call.?id|timestamp|current time|uuid|random|prompt|model (?:calls?|emits?|proposes?)/i;
const CALL_SUCCEEDS =
  /\b(?:api|http|request|call|endpoint)\b.*\b(?:succeed\w*|success\w*|ok|200|returns?)\b|^\W*(?:success|ok|done|200)\W*$/i;
const WHOLE_REQUEST = /^(?:args|arguments|body|data|input|json|params|payload|request)$/i;
const SUCCESS_FLAG = /^(?:done|ok|result|status|success|succeeded)$/i;
const LOST_ANSWERS = ['T1.2', 'T1.3', 'T2.2', 'T2.3'];
const RACES = ['T1.4', 'T2.4'];

/** The article's ten questions ("How can you review an existing tool without rewriting it first?"), in its order. */
const QUESTIONS: readonly Question[] = [
  {
    question: 'What business effect occurs?',
    evidence: 'A sentence and the downstream system',
    fields: ['effects', 'downstream.connector'],
    answer: ({ effects, downstream }) =>
      effects &&
      `${effects.join('; ')}${downstream?.connector === undefined ? '' : ` (${downstream.connector})`}`,
    flag: ({ effects = [] }) =>
      effects.length > 0 && effects.every((effect) => CALL_SUCCEEDS.test(effect))
        ? 'The answer is only that a call succeeds; say what happens in the business.'
        : null,
  },
  {
    question: 'What identifies the logical action?',
    evidence: 'Workflow record and key derivation',
    fields: ['operation_key'],
    answer: ({ operation_key: key }) =>
      key?.scope &&
      `${key.scope.join(':')}${key.created_on === undefined ? '' : `, created when: ${key.created_on}`}`,
    flag: ({ operation_key: key }) =>
      [key?.created_on, ...Object.values(key?.fed_from ?? {})].some((text) => MODEL_IDENTITY.test(text ?? ''))
        ? 'A model call, a tool-call id or a timestamp is in the identity; derive the key from the workflow step.'
        : null,
  },
  {
    question: 'Which fields define sameness?',
    evidence: 'Canonicalization code and tests',
    fields: ['material', 'ignored'],
    answer: ({ material, ignored = {} }) => material && sameness(material, ignored),
    flag: ({ material }) => {
      const names = Object.keys(material ?? {});
      const whole = names.length === 1 && WHOLE_REQUEST.test(names[0] ?? '');
      return material !== undefined && (names.length === 0 || whole)
        ? 'The whole request is compared as it came, without a policy for its fields; list them.'
        : null;
    },
  },
  {
    question: 'Where is the claim unique?',
    evidence: 'Constraint or compare-and-set operation',
    fields: ['claim', 'storage'],
    answer: () => 'tool_operations, primary key (tenant_id, operation_key)',
    flag: () => null,
  },
  {
    question: 'What is stored for replay?',
    evidence: 'Effect reference and safe response',
    fields: ['replay', 'receipt'],
    answer: ({ replay, receipt }) =>
      replay?.fields &&
      `${receipt?.field === undefined ? '' : `reference ${receipt.field}; `}${replay.fields.join(', ') || 'no fields'}`,
    flag: ({ replay, receipt }) =>
      replay?.fields !== undefined &&
      receipt?.field === undefined &&
      replay.fields.every((name) => SUCCESS_FLAG.test(name))
        ? 'Only a success flag is stored: a repeated call learns nothing about the effect.'
        : null,
  },
  {
    question: 'What means in flight?',
    evidence: 'Lease, poll operation, and owner trace',
    fields: [
      'lease_seconds',
      'attempts',
      'responses.in_flight',
      'responses.pending',
      'recovery.in_flight',
      'recovery.pending',
    ],
    answer: ({ lease_seconds: lease, attempts }) =>
      lease === undefined
        ? null
        : `a lease of ${duration(lease)}, then recovery; status polls by key${attempts?.max === undefined ? '' : `; at most ${attempts.max} attempts`}`,
    flag: ({ lease_seconds: lease, downstream }) =>
      lease !== undefined &&
      downstream?.call_budget_ms !== undefined &&
      lease * 1000 < downstream.call_budget_ms
        ? `The lease of ${duration(lease)} ends before an attempt's ${downstream.call_budget_ms} ms: recovery would start while the first may still send.`
        : null,
  },
  {
    question: 'What means unknown?',
    evidence: 'Receipt lookup and reconciliation owner',
    fields: ['lookup', 'owner', 'response_seconds', 'responses.unknown', 'recovery.unknown'],
    answer: ({ lookup, owner, response_seconds: seconds }) =>
      owner?.team &&
      `${lookup === undefined ? 'no lookup' : `a lookup by ${lookup.by ?? '?'}${lookup.authoritative === true ? ', authoritative' : ''}`}; ${owner.team}${seconds === undefined ? '' : ` within ${duration(seconds)}`}`,
    flag: (stated) =>
      stated.lookup === undefined && capabilitiesOf(stated).resend === 'never'
        ? 'No lookup can tell what happened: every lost answer is left to a person without evidence.'
        : null,
  },
  {
    question: 'How is permission rechecked?',
    evidence: 'Current actor, tenant, target, approval',
    fields: ['security', 'approval', 'preconditions', 'version_condition'],
    answer: (stated) => permission(stated),
    flag: ({ security }) =>
      security?.recheck_authorization === undefined
        ? 'Nothing says that authorization is asked again; the first decision would be trusted.'
        : null,
  },
  {
    question: 'When can the key expire?',
    evidence: 'Retry and late-delivery analysis',
    fields: ['retention', 'retention_seconds', 'late_arrival'],
    answer: ({ retention_seconds: kept, late_arrival: late }) =>
      kept === undefined ? null : `after ${duration(kept)}${late === undefined ? '' : `; then ${late}`}`,
    flag: ({ retention }) =>
      Object.values(retention?.delays ?? {}).some((delay) => (delay ?? 0) > 0)
        ? null
        : 'The time is not reckoned from the delays of a duplicate; it may be a convenient short one.',
  },
  {
    question: 'How is the claim tested?',
    evidence: 'Fault-injection and concurrency tests',
    fields: ['tests'],
    answer: ({ tests }) =>
      tests &&
      Object.entries(tests)
        .map(([name, rows = []]) => `${name} (${rows.join(', ')})`)
        .join(', '),
    flag: ({ tests }) => {
      const rows = Object.values(tests ?? {}).flatMap((ids) => ids ?? []);
      return LOST_ANSWERS.some((id) => rows.includes(id)) && RACES.some((id) => rows.includes(id))
        ? null
        : 'The tests do not both lose an answer (T1.2, T1.3, T2.2 or T2.3) and race two workers (T1.4 or T2.4): two successful calls prove little.';
    },
  },
];

/** The worksheet of a draft. An error at a field that answers a question is a red flag of that question. */
export function worksheetOf({ stated, errors, open }: Draft): WorksheetRow[] {
  return QUESTIONS.map(({ question, evidence, fields, answer, flag }) => {
    const at = (path: string) => fields.some((field) => path === field || path.startsWith(`${field}.`));
    const undecided = open.filter(({ path }) => at(path)).map(({ path }) => path);
    const wrong = errors.find(({ path }) => at(path));
    return {
      question,
      evidence,
      answer: [answer(stated) ?? 'Not answered', undecided.length > 0 ? `open: ${undecided.join(', ')}` : '']
        .filter(Boolean)
        .join('; '),
      red_flag: flag(stated) ?? (wrong === undefined ? null : `${wrong.path}: ${wrong.message}`),
    };
  });
}

function sameness(
  material: NonNullable<Stated['material']>,
  ignored: NonNullable<Stated['ignored']>,
): string {
  const fields = Object.entries(material).map(([name, field]) => {
    const rules = field?.rules?.map((rule) => (typeof rule === 'string' ? rule : 'default')) ?? [];
    return rules.length === 0 ? name : `${name} (${rules.join(', ')})`;
  });
  const left = Object.keys(ignored);
  return `${fields.join(', ') || 'none'}${left.length === 0 ? '' : `; never ${left.join(', ')}`}`;
}

function permission({
  security,
  approval,
  preconditions,
  version_condition: version,
}: Stated): string | null {
  if (security?.recheck_authorization === undefined) return null;
  const approved =
    approval === undefined
      ? 'no approval'
      : 'not_needed_because' in approval
        ? 'an approval is not needed'
        : 'an approval where asked';
  return [
    'actor, tenant and target, immediately before the effect',
    approved,
    ...Object.keys(preconditions ?? {}).map((name) => `precondition ${name}`),
    ...(version === undefined ? [] : [`version in ${version}`]),
  ].join('; ');
}
