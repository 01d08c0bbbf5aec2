import { describe, expect, test } from 'vitest';
import { bounded, visibleRuns } from './visible-text.ts';

const marks = (text: string) => visibleRuns(text).flatMap((run) => (run.kind === 'mark' ? [run.label] : []));
const whole = (text: string) =>
  visibleRuns(text)
    .map((run) => run.text)
    .join('');

describe('text of unknown origin', () => {
  test('[B116] direction-changing, zero-width and control characters become named marks', () => {
    expect(marks('pay \u202eevil\u2066x\u200by')).toEqual(['U+202E', 'U+2066', 'U+200B']);
    expect(marks('a\u0000b\u001b[31m\u007f')).toEqual(['U+0000', 'U+001B', 'U+007F']);
    expect(marks('\u{e0041}')).toEqual(['U+E0041']);
    expect(marks('lone \ud800 half')).toEqual(['U+D800']);
  });

  test('[B116] honest Hebrew, Arabic, Persian and emoji families stay as they are', () => {
    expect(marks('שלום עולם')).toEqual([]);
    expect(marks('مرحبا بالعالم')).toEqual([]);
    expect(marks('می\u200cخواهم')).toEqual([]);
    expect(marks('👩\u200d👩\u200d👧\u200d👦 and 🏳️\u200d🌈 and 👩🏽\u200d💻')).toEqual([]);
    expect(marks('line one\nline two\tcell')).toEqual([]);
  });

  test('a joiner between letters that do not join is not honest', () => {
    expect(marks('pay\u200dpal')).toEqual(['U+200D']);
  });

  test('[B116] no character is lost: what is copied is what was stored', () => {
    const text = 'x\u202e\u0000👩\u200d👧 y\u2066';
    expect(whole(text)).toBe(text);
  });

  test('a bound says how much was left off and never halves a character', () => {
    expect(bounded('short', 10)).toEqual({ text: 'short', leftOff: 0 });
    expect(bounded('abcdef', 4)).toEqual({ text: 'abcd', leftOff: 2 });
    expect(bounded('ab👧cd', 3)).toEqual({ text: 'ab', leftOff: 4 });
  });
});
