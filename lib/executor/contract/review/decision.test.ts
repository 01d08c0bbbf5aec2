import { describe, expect, it } from 'vitest';
import { readContract } from '../define-contract.ts';
import { draftOfContract } from '../document/load-contract.ts';
import { ticketsCreate } from '../sample-contracts.ts';
import { conditionsOf, decide, decisionSentence, type Decision, type DecisionFacts } from './decision.ts';
import { reviewed } from './testing/reviewed.ts';

const either = [true, false];
const every: DecisionFacts[] = either.flatMap((writes) =>
  [0, 1].flatMap((unsettled) =>
    (['low', 'medium', 'high', null] as const).flatMap((duplicateCost) =>
      either.flatMap((faultRunPassed) =>
        either.flatMap((stable) =>
          either.flatMap((durable) =>
            either.flatMap((receipt) =>
              either.map((deduplicates) => ({
                writes,
                unsettled,
                duplicateCost,
                faultRunPassed,
                conditions: {
                  stable_operation: stable,
                  durable_claim: durable,
                  authoritative_receipt: receipt,
                  downstream_deduplicates: deduplicates,
                },
              })),
            ),
          ),
        ),
      ),
    ),
  ),
);

/** The table of the docstring, row by row: the means that are left, and the decision by cost. */
const BY_MEANS: Record<number, Record<'low' | 'medium' | 'high', Decision>> = {
  2: { low: 'automate', medium: 'automate', high: 'automate' },
  1: { low: 'automate_with_approval', medium: 'automate_with_approval', high: 'manual' },
  0: { low: 'automate_with_approval', medium: 'manual', high: 'manual' },
};

describe('decide', () => {
  it(`is the written table on each of ${every.length} combinations`, () => {
    expect(every).toHaveLength(512);
    for (const facts of every) {
      const { stable_operation, durable_claim, authoritative_receipt, downstream_deduplicates } =
        facts.conditions;
      const means = Number(authoritative_receipt) + Number(downstream_deduplicates);
      let expected: Decision = 'manual';
      if (facts.unsettled === 0 && !facts.writes) expected = 'automate';
      else if (
        facts.unsettled === 0 &&
        facts.duplicateCost !== null &&
        stable_operation &&
        durable_claim &&
        facts.faultRunPassed
      )
        expected = BY_MEANS[means]?.[facts.duplicateCost] ?? 'manual';
      expect(decide(facts), JSON.stringify(facts)).toBe(expected);
      expect(decisionSentence(facts)).toMatch(/^[A-Z\d].*\.$/);
    }
  });

  it('automates no writing tool with an open decision, without a stable operation, a durable claim or a passed run', () => {
    const automated = every.filter((facts) => facts.writes && decide(facts) !== 'manual');
    expect(automated.length).toBeGreaterThan(0);
    for (const { unsettled, faultRunPassed, conditions } of automated)
      expect([unsettled, faultRunPassed, conditions.stable_operation, conditions.durable_claim]).toEqual([
        0,
        true,
        true,
        true,
      ]);
  });

  it('never grows looser when one fact gets worse', () => {
    const order = ['manual', 'automate_with_approval', 'automate'];
    const loose = (facts: DecisionFacts) => order.indexOf(decide(facts));
    for (const facts of every.filter(({ writes }) => writes)) {
      const worse: DecisionFacts[] = [
        { ...facts, unsettled: 1 },
        { ...facts, faultRunPassed: false },
        { ...facts, duplicateCost: 'high' },
        ...(Object.keys(facts.conditions) as (keyof DecisionFacts['conditions'])[]).map((condition) => ({
          ...facts,
          conditions: { ...facts.conditions, [condition]: false },
        })),
      ];
      if (facts.duplicateCost === null) continue;
      for (const one of worse) expect(loose(one)).toBeLessThanOrEqual(loose(facts));
    }
  });
});

describe('conditionsOf', () => {
  const of = (change: object) => conditionsOf(draftOfContract(readContract({ ...reviewed, ...change }), 'x'));
  const { downstream, lookup } = ticketsCreate;
  const { key_window_seconds: _window, ...noWindow } = downstream;
  const absolute = {
    effect_class: 'natural_idempotent',
    effects: ['the ticket is closed'],
    version_condition: 'subject',
    lookup: undefined,
    recovery_seconds: 60,
    downstream: { ...noWindow, deduplicates: false },
  };
  const all = {
    stable_operation: true,
    durable_claim: true,
    authoritative_receipt: true,
    downstream_deduplicates: true,
  };

  it.each([
    ['all of a keyed tool with an authoritative lookup', {}, all],
    [
      'no receipt of a lookup that only informs',
      { lookup: { ...lookup, authoritative: false } },
      { ...all, authoritative_receipt: false },
    ],
    [
      'no deduplication where the downstream has none',
      { downstream: { ...noWindow, deduplicates: false } },
      { ...all, downstream_deduplicates: false },
    ],
    ['all of one absolute value with a version condition', absolute, all],
    [
      'no deduplication of an absolute value that a notification comes with',
      { ...absolute, effects: ['the ticket is closed', 'an e-mail'] },
      { ...all, downstream_deduplicates: false },
    ],
    [
      'neither of an absolute value without a version condition',
      { ...absolute, version_condition: undefined },
      { ...all, authoritative_receipt: false, downstream_deduplicates: false },
    ],
    [
      'no stable operation without a rule for the key',
      { operation_key: undefined },
      { ...all, stable_operation: false },
    ],
  ])('finds %s', (_name, change, expected) => {
    expect(of(change)).toEqual(expected);
  });
});
