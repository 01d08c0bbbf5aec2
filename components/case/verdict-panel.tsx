'use client';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { useVerdictDraft } from '../../lib/client/verdict-draft.ts';
import { useDecide } from '../../lib/client/use-decide.ts';
import { pages } from '../../lib/client/addresses.ts';
import { DecidedPanel } from './decided-panel.tsx';
import { VerdictForm } from './verdict-form.tsx';

const isResolved = (status: string) =>
  status === 'applied' || status === 'failed_permanent' || status === 'approved_new_key';

/** What a person says about the case; once it is resolved, what was said. */
export function VerdictPanel({ scope, detail }: { scope: Scope; detail: OperationDetail }) {
  const { record } = detail;
  const kept = useVerdictDraft(pages.case(scope, record.operation_key));
  const deciding = useDecide(scope, detail, kept);
  return (
    <aside
      aria-labelledby="verdict"
      className="flex min-h-0 flex-col gap-3 border-t border-line bg-surface px-4 py-5 xl:overflow-y-auto xl:border-s xl:border-t-0"
    >
      {isResolved(record.status) ? (
        <DecidedPanel detail={detail} kept={kept} />
      ) : (
        <VerdictForm scope={scope} detail={detail} kept={kept} deciding={deciding} />
      )}
    </aside>
  );
}
