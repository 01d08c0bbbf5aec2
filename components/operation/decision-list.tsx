import Link from 'next/link';
import { pages } from '../../lib/client/addresses.ts';
import { verdictWords } from '../../lib/client/verdict-words.ts';
import type { DecisionItem } from '../../lib/shapes/operation-record.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Eyebrow } from '../ui/eyebrow.tsx';
import { Instant } from '../ui/instant.tsx';
import { KeyText } from '../ui/key-text.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

/** What persons decided about this operation, with their reasons. */
export function DecisionList({ scope, decisions }: { scope: Scope; decisions: DecisionItem[] }) {
  return (
    <section aria-labelledby="decisions" className="flex flex-col gap-1.5">
      <Eyebrow id="decisions" title="Decisions" />
      <ol className="divide-y divide-line rounded-l border border-line bg-surface">
        {decisions.map((one) => (
          <li key={one.decision_id} className="flex flex-col gap-1 px-3.5 py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span>
                <strong className="font-semibold">{verdictWords(one.verdict).title}</strong> ·{' '}
                <bdi>{one.decided_by_name}</bdi>
                {one.approved_by_name === null ? null : (
                  <>
                    {' '}
                    and <bdi>{one.approved_by_name}</bdi>
                  </>
                )}
                {one.state === 'proposed' ? ' · proposed, waits for a second person' : null}
                {one.state === 'voided' ? ' · proposal, void' : null}
              </span>
              <span className="text-ink-2">
                <Instant at={one.decided_at} zone />
              </span>
            </p>
            <p className="text-ink-2">
              <VisibleText text={one.reason} />
            </p>
            <p className="flex flex-wrap gap-x-3 text-xs text-ink-3">
              {one.effect_reference === null ? null : (
                <span>
                  receipt <KeyText text={one.effect_reference} />
                </span>
              )}
              {one.successor_key === null ? null : (
                <Link
                  href={pages.operation(scope, one.successor_key)}
                  className="font-semibold text-accent hover:underline"
                >
                  successor <KeyText text={one.successor_key} />
                </Link>
              )}
              <span>against version {one.expected_version}</span>
              {one.audit_sequence === null ? null : (
                <Link href={pages.audit(scope)} className="font-semibold text-accent hover:underline">
                  audit entry {one.audit_sequence}
                </Link>
              )}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
