import { describe, expect, it } from 'vitest';
import { readSource } from './read-source.ts';
import { nodeAt, plainOf } from './source.ts';

const refusals = (text: string): string[] =>
  readSource(text).problems.map(({ at, sentence }) => `${at?.line}:${at?.column} ${sentence}`);

describe('readSource', () => {
  it('gives plain values and where each stands', () => {
    const { root } = readSource('a: 1\nb:\n  - x\n  - {c: 2026-08-18, d: null}\n"odd.key": true\n');
    if (root === null) throw new Error('it was refused');
    expect(plainOf(root)).toEqual({ a: 1, b: ['x', { c: '2026-08-18', d: null }], 'odd.key': true });
    expect(nodeAt(root, 'b.1.c')?.at).toEqual({ line: 4, column: 6 });
    expect(nodeAt(root, 'odd.key')?.at).toEqual({ line: 5, column: 1 });
    expect(nodeAt(root, 'b.2')).toBeUndefined();
  });

  it('reads JSON too', () => {
    expect(readSource('{\n  "name": "x"\n}').root?.entries.get('name')?.at).toEqual({ line: 2, column: 3 });
  });

  it.each([
    ['a duplicate key', 'a: 1\nb: 2\na: 3\n', /^3:1 The key stands twice/],
    ['an anchor', 'a: 1\nb: &x [1]\n', /^2:7 Anchors and aliases/],
    ['a bomb of aliases', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n', /^1:7 Anchors[^]*^3:9 Anchors/m],
    ['a merge key', 'a: {b: 1}\nc:\n  <<: {b: 2}\n', /^3:3 A key is text/],
    ['a tag', 'a: !!binary aGk=\n', /^1:13 .*remove the tag/],
    ['an unknown tag', 'a: !secret x\n', /^1:12 .*remove the tag !secret/],
    ['a number as key', 'supersedes:\n  2: reconcile\n', /^2:3 A key is text/],
    ['a key that is no data', '__proto__: {}\n', /^1:1 A key is text/],
    ['a list as key', '? [a]\n: b\n', /^1:3 A key is text/],
    ['a number beyond what is exact', 'a: 12345678901234567890\n', /^1:4 This number cannot be kept/],
    ['a number that is none', 'a: .nan\n', /^1:4 This number cannot be kept/],
    ['two documents', 'a: 1\n---\nb: 2\n', /^2:.* One file holds one contract/],
    ['an empty file', '# nothing\n', /^1:1 The file holds no contract/],
    ['a list', '- a\n', /^1:1 A contract is a map/],
    ['what is not YAML', 'a: "x\nb: 1\n', /^\d+:\d+ This is not YAML/],
    ['a tab as indentation', 'a:\n\tb: 1\n', /^2:1 This is not YAML/],
    ['too many levels of brackets', `a: ${'['.repeat(10_000)}`, /^1:1 A contract is nested/],
    ['too many levels of dashes', `a: 1\n${'- '.repeat(5_000)}`, /^2:1 A contract is nested/],
    ['too many levels of indentation', `a:\n${' '.repeat(400)}b: 1\n`, /^2:1 A contract is nested/],
    ['a long text', `a: ${'x'.repeat(70_000)}`, /^1:1 A contract has at most 65536 characters/],
  ])('refuses %s with its position', (_name, text, expected) => {
    expect(readSource(text).root).toBeNull();
    expect(refusals(text).join('\n')).toMatch(expected);
  });
});
