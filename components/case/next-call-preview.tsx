import type { NextCall } from '../../lib/client/next-call.ts';
import { JsonBlock } from '../ui/json-block.tsx';

const DOES: Record<string, string> = {
  claim: 'It would be claimed and sent for the first time.',
  acquire: 'A worker would take it up and send it.',
  expire: 'Its lease would be ended first, then it would be answered.',
  request_approval: 'An approval would be asked for first.',
  reconcile_first: 'It would be looked up first.',
};

/** Exactly what the agent gets for the same call. */
export function NextCallPreview({ title, call }: { title: string; call: NextCall }) {
  return (
    <section aria-labelledby="next-call" className="flex flex-col gap-1.5">
      <h2 id="next-call" className="eyebrow">
        {title}
      </h2>
      {'outcome' in call ? (
        <JsonBlock value={call.outcome} label={title} />
      ) : (
        <p className="rounded-m border border-line bg-sunken px-3 py-2.5 text-ink-2">{DOES[call.does]}</p>
      )}
    </section>
  );
}
