const WIDTH = Math.min(Math.max(process.stdout.columns ?? 110, 70), 140);

/** A text in the columns after `indent`, continued below itself. The first line stands after `head`. */
export function wrap(head: string, text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > WIDTH - indent) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  const start = head.length < indent ? head.padEnd(indent) : `${head}\n${' '.repeat(indent)}`;
  return start + lines.join(`\n${' '.repeat(indent)}`);
}

/** Rows of cells under their heads; the last column is wrapped. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads
    .slice(0, -1)
    .map((head, column) =>
      Math.min(36, Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0))),
    );
  const indent = 2 + widths.reduce((sum, width) => sum + width + 2, 0);
  return [heads, ...rows]
    .map((row) => {
      const head = widths.map((width, column) => (row[column] ?? '').padEnd(width)).join('  ');
      return wrap(`  ${head}  `, row.at(-1) ?? '', indent + 1).trimEnd();
    })
    .join('\n');
}
