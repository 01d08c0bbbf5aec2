import { Fragment } from 'react';
import { VisibleText } from './visible-text.tsx';

const LINE = /^(\s*)("(?:[^"\\]|\\.)*")(: )(.*)$/s;

/** JSON for people: one field a line, the values set off from their names. */
export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return (
    <pre
      role="region"
      aria-label={label}
      tabIndex={0}
      dir="ltr"
      className="max-h-96 overflow-auto rounded-m border border-line bg-sunken px-3 py-2.5 text-xs leading-[1.6] [overflow-wrap:anywhere] whitespace-pre-wrap text-ink-2"
    >
      {lines.map((line, index) => {
        const [, indent, name, colon, rest] = LINE.exec(line) ?? [];
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a line has no identity but its place
          <Fragment key={index}>
            {name === undefined ? (
              <VisibleText text={line} />
            ) : (
              <>
                {indent}
                <VisibleText text={name} />
                {colon}
                <span className="font-semibold text-ink">
                  <VisibleText text={rest ?? ''} />
                </span>
              </>
            )}
            {'\n'}
          </Fragment>
        );
      })}
    </pre>
  );
}
