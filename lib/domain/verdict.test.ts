import { expect, test } from 'vitest';
import { everyShape } from './every-facts.ts';
import { EVIDENCE_FACTS, type Facts } from './facts.ts';
import { VERDICTS } from './states.ts';
import { isFound, isTerminal } from './transitions.ts';
import { judgeVerdict, needsSecondPerson } from './verdict.ts';

const BOTH = [false, true];
const RESOLVED: Facts[] = everyShape()
  .filter(isTerminal)
  .flatMap((shape) =>
    EVIDENCE_FACTS.flatMap((evidence) =>
      BOTH.map((contradicted): Facts => ({ ...shape, evidence, contradicted })),
    ),
  );
const said = (verdict: (typeof VERDICTS)[number], f: Facts, secondPerson: boolean) =>
  judgeVerdict(verdict, f, { roles: ['operator'], receipt: 'ticket_1042', secondPerson }).refusal;

test('what is resolved is amended only where evidence contradicts it, and only by two persons', () => {
  for (const f of RESOLVED)
    for (const verdict of VERDICTS) {
      expect(needsSecondPerson(verdict, f)).toBe(true);
      expect(said(verdict, f, false)).not.toBeNull();
      if (!f.contradicted) expect(said(verdict, f, true)).toBe('already_resolved');
    }
});

test('rule 3: an amendment never says that it did not happen against found evidence, and never allows a new key', () => {
  const contradicted = RESOLVED.filter((f) => f.contradicted);
  for (const f of contradicted) {
    expect(said('applied', f, true)).toBeNull();
    expect(said('failed_permanent', f, true)).toBe(isFound(f) ? 'effect_found' : null);
    expect(said('approved_new_key', f, true)).toBe('already_resolved');
  }
});

test('an amendment waits for the acceptance of a fail-over', () => {
  const answers = new Set(
    RESOLVED.filter((f) => f.contradicted).map((f) => said('applied', { ...f, epoch: 'older' }, true)),
  );
  expect([...answers]).toEqual(['older_epoch']);
});
