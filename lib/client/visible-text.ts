/** A run of honest text, or one character that a reader could not see or that would reorder what stands beside it. */
export type TextRun = { at: number; text: string } & ({ kind: 'text' } | { kind: 'mark'; label: string });

/* Controls but tab and newline, format characters but the honest Arabic ones, separators, lone surrogates, and the
   letters and marks that show as nothing. */
const HIDDEN =
  /(?![\t\n\u0600-\u0605\u06dd\u070f\u08e2])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|\u3164|\uffa0/gu;

/** Joiners belong to honest text between the parts of an emoji and between letters of scripts that join. */
const JOINS_BEFORE =
  /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Gujarati}|\p{Script=Gurmukhi}|\p{Script=Sinhala})$/u;
const JOINS_AFTER =
  /^(?:\p{Extended_Pictographic}|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Gujarati}|\p{Script=Gurmukhi}|\p{Script=Sinhala})/u;

const isHonestJoiner = (text: string, at: number, found: string) =>
  (found === '\u200d' || found === '\u200c') &&
  JOINS_BEFORE.test(text.slice(Math.max(0, at - 2), at)) &&
  JOINS_AFTER.test(text.slice(at + 1, at + 3));

const labelOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Splits text of unknown origin into what may be shown as it is and what must be shown as a named mark. */
export function visibleRuns(text: string): TextRun[] {
  const runs: TextRun[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (isHonestJoiner(text, match.index, match[0])) continue;
    if (match.index > from) runs.push({ at: from, kind: 'text', text: text.slice(from, match.index) });
    runs.push({ at: match.index, kind: 'mark', text: match[0], label: labelOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) runs.push({ at: from, kind: 'text', text: text.slice(from) });
  return runs;
}

/** The first `limit` characters, never half of a surrogate pair, and how many were left off. */
export function bounded(text: string, limit: number): { text: string; leftOff: number } {
  if (text.length <= limit) return { text, leftOff: 0 };
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return { text: text.slice(0, end), leftOff: text.length - end };
}
