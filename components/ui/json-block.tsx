import { VisibleText } from './visible-text.tsx';

const LINE = /^(\s*)("(?:[^"\\]|\\.)*": )?(.*)$/s;

/** JSON for people: one field a line, its value set off from its name, long lines hanging under their beginning. */
export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  const lines = [...JSON.stringify(value, null, 2).matchAll(/.+/g)];
  return (
    <pre
      role="group"
      aria-label={label}
      tabIndex={0}
      dir="ltr"
      className="max-h-[26rem] overflow-auto rounded-m border border-line bg-sunken px-3 py-2.5 text-xs leading-[1.6] text-ink-2"
    >
      {lines.map((line) => {
        const [, indent = '', name = '', rest = ''] = LINE.exec(line[0]) ?? [];
        return (
          <span
            key={line.index}
            className="block -indent-[2ch] [overflow-wrap:anywhere] whitespace-pre-wrap"
            style={{ paddingInlineStart: `${indent.length + 2}ch` }}
          >
            <VisibleText text={name} />
            <span className={name === '' ? undefined : 'font-semibold text-ink'}>
              <VisibleText text={rest} />
            </span>
            {'\n'}
          </span>
        );
      })}
    </pre>
  );
}
