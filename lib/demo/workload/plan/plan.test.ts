import { describe, expect, test } from 'vitest';
import { operationKey } from '../../../executor/index.ts';
import { BURST_LENGTH, planItem } from './plan.ts';
import type { PlanItem, Step } from './step.ts';

const TWO_HOURS = BURST_LENGTH + 600;
const items = (seed: string, count = TWO_HOURS): PlanItem[] =>
  Array.from({ length: count }, (_, number) => planItem(seed, number));
const stepsOf = (plan: PlanItem[]): Step[] => plan.flatMap((item) => (item.do === 'step' ? [item.step] : []));

describe('plan', () => {
  test('the same seed gives the same steps, another seed others', () => {
    expect(items('one')).toEqual(items('one'));
    expect(items('two')).not.toEqual(items('one'));
  });

  test('an item depends on its number alone, so a second start continues where the first ended', () => {
    const whole = items('one');
    expect(planItem('one', BURST_LENGTH + 77)).toEqual(whole[BURST_LENGTH + 77]);
  });

  test('every step has a key of its own, and none is the beginning of another', () => {
    const keys = stepsOf(items('one'))
      .map((step) => operationKey(step))
      .toSorted();
    expect(new Set(keys).size).toBe(keys.length);
    keys.slice(1).forEach((key, i) => expect(key.startsWith(keys[i] ?? '')).toBe(false));
  });

  test('the first step is a charge of acme in production whose answer is lost', () => {
    expect(stepsOf(items('one', 1))[0]).toMatchObject({
      tenantId: 'acme',
      environment: 'production',
      tool: 'payments.charge',
      trouble: { kind: 'fault', fault: 'commit_then_drop', times: 1 },
    });
  });

  test('nothing goes wrong on purpose before the first step is unknown', () => {
    const plan = items('one', BURST_LENGTH);
    const gate = plan.findIndex((item) => item.do === 'await_unknown');
    expect(gate).toBeGreaterThan(0);
    expect(stepsOf(plan.slice(1, gate)).filter(({ trouble }) => trouble !== null)).toEqual([]);
  });

  test('a closing names a ticket of its own workflow and tenant that nothing happens to', () => {
    const all = stepsOf(items('one'));
    const closings = all.filter(({ tool }) => tool === 'tickets.close');
    expect(closings.length).toBeGreaterThan(10);
    for (const closing of closings) {
      const ticket = all.find(({ number }) => number === closing.ticketOf);
      expect(ticket).toMatchObject({
        tool: 'tickets.create',
        trouble: null,
        tenantId: closing.tenantId,
        environment: closing.environment,
        workflowId: closing.workflowId,
      });
    }
    expect(new Set(closings.map(({ ticketOf }) => ticketOf)).size).toBe(closings.length);
  });

  test('the first minutes kill at least ten workers, at each boundary', () => {
    const kills = stepsOf(items('one', BURST_LENGTH)).flatMap(({ trouble }) =>
      trouble?.kind === 'kill' ? [trouble.at] : [],
    );
    expect(kills.length).toBeGreaterThanOrEqual(10);
    expect(new Set(kills).size).toBe(3);
  });
});
