/**
 * The text with one piece replaced.
 * @throws where the piece does not stand in it exactly once: then the mutant is not of this source any more
 */
export function mutate(text: string, from: string, to: string, file: string): string {
  const times = text.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} has this ${times} times, not once:\n${from}`);
  return text.replace(from, () => to);
}
