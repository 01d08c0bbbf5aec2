/** A run of honest text, or one character that a reader could not see or that would reorder what stands beside it. */
export type TextRun = { kind: 'text'; text: string } | { kind: 'mark'; text: string; label: string };

/* C0 and C1 controls but tab and newline, soft hyphen, zero-width and direction characters, separators, fillers,
   interlinear and tag characters, byte order mark. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- these are the characters to be shown
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

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
    if (match.index > from) runs.push({ kind: 'text', text: text.slice(from, match.index) });
    runs.push({ kind: 'mark', text: match[0], label: labelOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) runs.push({ kind: 'text', text: text.slice(from) });
  return runs;
}

/** The first `limit` characters, never half of a surrogate pair, and how many were left off. */
export function bounded(text: string, limit: number): { text: string; leftOff: number } {
  if (text.length <= limit) return { text, leftOff: 0 };
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return { text: text.slice(0, end), leftOff: text.length - end };
}
