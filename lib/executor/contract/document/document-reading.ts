import type { z } from 'zod';
import { explain, problemsOf } from '../contract-issues.ts';
import { contractProblems } from '../contract-rules.ts';
import { contractSchema } from '../contract.ts';
import type { Stated } from '../stated.ts';
import { nearestField } from './nearest-field.ts';
import { isBracketed, isProse, takePlaceholders } from './placeholders.ts';
import { questionOf, REVIEWED_QUESTIONS } from './questions.ts';
import { nodeAt, type Position, type SourceMap, type SourceNode, type SourceProblem } from './source.ts';
import { translate, type OpenQuestion } from './translate.ts';

/** Collects what is wrong and what is open in one document, each with its place. */
export class DocumentReading {
  readonly wrong: SourceProblem[];
  readonly open: OpenQuestion[];
  readonly #root: SourceMap;

  constructor(root: SourceMap) {
    const { problems, open } = translate(root);
    this.#root = root;
    this.wrong = problems;
    this.open = [
      ...open,
      ...takePlaceholders(root).map(({ path, node }) => ({ path, at: node.at, question: questionOf(path) })),
    ];
  }

  /** Each field by itself; what is valid of them comes back. */
  readFields(plain: object): Stated {
    const stated: unknown = structuredClone(plain);
    const parsed = contractSchema.safeParse(plain, { error: explain });
    for (const issue of parsed.success ? [] : parsed.error.issues) {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
      if (unknown.length === 0) drop(stated, issue.path);
      for (const key of unknown) drop(stated, [...issue.path, key]);
      const missing = valueAt(plain, issue.path) === undefined;
      for (const { path, sentence } of problemsOf(issue)) {
        if (this.open.some((other) => overlap(other.path, path))) continue;
        if (missing || isUndecided(issue, nodeAt(this.#root, path))) this.#ask(path, questionOf(path));
        else this.#refuse(path, sentence + suggestion(issue, path));
      }
    }
    return stated as Stated;
  }

  /** The rules between fields. What is wrong or open already is not told twice. */
  readRules(stated: Stated): void {
    for (const { path, sentence, cause, asks } of contractProblems(stated)) {
      if (this.#covers(path)) continue;
      if (asks === true) this.#ask(path, sentence, cause);
      else this.#refuse(path, sentence, cause);
    }
  }

  /** What a review must find answered, although a contract is valid without it. */
  askForReview(plain: object): void {
    for (const path of Object.keys(REVIEWED_QUESTIONS).filter((each) => !each.includes('.')))
      if (!Object.hasOwn(plain, path) && !this.#covers(path)) this.#ask(path, questionOf(path));
  }

  /** Where a field stands, or the nearest field around it. */
  place(path: string): Position | null {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
      const found = nodeAt(this.#root, at)?.at ?? this.open.find((question) => question.path === at)?.at;
      if (found !== undefined && found !== null) return found;
    }
    return this.#root.at;
  }

  #ask(path: string, question: string, cause = path): void {
    this.open.push({ path, at: this.place(cause), question });
  }

  #refuse(path: string, sentence: string, cause = path): void {
    this.wrong.push({ path, at: this.place(cause), sentence });
  }

  #covers(path: string): boolean {
    return [...this.open, ...this.wrong].some((other) => overlap(other.path, path));
  }
}

function suggestion(issue: z.core.$ZodIssue, path: string): string {
  if (issue.code !== 'unrecognized_keys') return '';
  const meant = nearestField(path.slice(path.lastIndexOf('.') + 1));
  return meant === null ? '' : ` Did you mean ${meant}?`;
}

/** Whether a bracketed value or a sentence stands where a value of another kind is needed. */
function isUndecided(issue: z.core.$ZodIssue, node: SourceNode | undefined): boolean {
  const anotherKind =
    ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code) ||
    (issue.code === 'invalid_format' && issue.format === 'date');
  return anotherKind && (isBracketed(node) || isProse(node));
}

/** Whether one path is the other or stands inside it. */
const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    data,
  );
}

/** Takes what is not valid out; of a list, the list. */
function drop(data: unknown, path: readonly PropertyKey[]): void {
  const list = path.findIndex((key) => typeof key === 'number');
  const upTo = list === -1 ? path : path.slice(0, list);
  const holder = valueAt(data, upTo.slice(0, -1));
  const last = upTo.at(-1);
  if (typeof holder === 'object' && holder !== null && last !== undefined)
    delete (holder as Record<PropertyKey, unknown>)[last];
}
