export type PathSegment = string | number;

const MAX_KEY = 60;
const MAX_PATH = 300;

/**
 * Writes where a value stands, for people and problem details: `$.items[2].id`, `$["odd key"]`.
 * Safe to log: unusual keys are quoted and escaped, long keys and long paths are cut with `…`.
 */
export function jsonPath(segments: readonly PathSegment[]): string {
  let path = '$';
  for (const segment of segments) path += step(segment);
  return path.length <= MAX_PATH ? path : `$…${path.slice(-MAX_PATH).toWellFormed()}`;
}

function step(segment: PathSegment): string {
  if (typeof segment === 'number') return `[${segment}]`;
  if (/^[A-Za-z_$][\w$]{0,59}$/.test(segment)) return `.${segment}`;
  const key = segment.length <= MAX_KEY ? segment : `${segment.slice(0, MAX_KEY)}…`;
  return `[${escapeUnprintable(JSON.stringify(key))}]`;
}

/** What JSON leaves as it is but a log line or a terminal would obey: C1 controls, line and direction marks. */
function escapeUnprintable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
