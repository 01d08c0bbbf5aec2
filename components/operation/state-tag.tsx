import { pendingWord, stateMark } from '../../lib/client/status-words.ts';
import { MarkIcon } from '../ui/mark-icon.tsx';
import { Tag } from '../ui/tag.tsx';

/** The status of an operation: shape, word and colour; a pending one also says what it waits in. */
export function StateTag({
  status,
  pendingReason,
  contradicted = false,
}: {
  status: string;
  pendingReason: string | null;
  contradicted?: boolean;
}) {
  const mark = stateMark({ status, contradicted });
  const waits = pendingWord(pendingReason);
  return (
    <Tag tone={mark.tone}>
      <MarkIcon shape={mark.shape} tone={mark.tone} size={12} />
      {mark.word}
      {waits === null ? null : <span className="font-medium">· {waits}</span>}
    </Tag>
  );
}
