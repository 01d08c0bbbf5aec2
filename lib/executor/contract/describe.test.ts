import { describe, expect, it } from 'vitest';
import { ticketsCreate } from './sample-contracts.ts';
import { defineContract } from './define-contract.ts';
import { describeTool } from './describe.ts';

describe('describeTool', () => {
  const text = describeTool(defineContract(ticketsCreate));

  it('says effect, material fields, what a repeat returns, when to poll and what a mismatch means', () => {
    expect(text).toContain('Create one support ticket');
    expect(text).toContain('Effect: a ticket in the queue; an e-mail to the requester.');
    expect(text).toContain(
      'These fields identify the request: queue_id, subject, body, customer_id. These do not: trace_id.',
    );
    expect(text).toContain('returns the recorded ticket_id with the status "replayed"');
    expect(text).toMatch(/"in_flight", do not call again: ask for the status/);
    expect(text).toMatch(/"fingerprint_mismatch", .*nothing happened/);
    expect(text).toMatch(/"unknown", it may have happened: do not call again/);
  });

  it('never promises that a repeat is safe, and never shows what is for people only', () => {
    expect(text).not.toMatch(/safe to (repeat|retry)|idempotent/i);
    for (const inner of ['deskline', 'support\n', 'two tickets', 'Nobody']) expect(text).not.toContain(inner);
  });

  it('says when to call it and when not, where the contract does', () => {
    const occasions = {
      use_when: ['An issue is new.', 'Its customer is known.'],
      do_not_use_when: ['A ticket is looked for.'],
    };
    const described = describeTool(defineContract({ ...ticketsCreate, ...occasions }));
    expect(described).toContain(
      '\nUse it when: An issue is new. Its customer is known.\nDo not use it when: A ticket is looked for.\n',
    );
    expect(text).not.toContain('se it when');
  });

  it('says that an irreversible effect cannot be undone and that approval or a person is needed', () => {
    const charge = defineContract({
      ...ticketsCreate,
      effect_class: 'irreversible',
      approval: { valid_seconds: 300 },
      decision: 'automate_with_approval',
    });
    expect(describeTool(charge)).toMatch(
      /cannot be undone[^]*"approval_required" means that nothing happened yet/,
    );
    expect(describeTool({ ...charge, decision: 'manual' })).toMatch(/not run automatically/);
  });

  it('lets a read be called again', () => {
    const read = defineContract({
      ...ticketsCreate,
      effect_class: 'read',
      freshness: 'At most a minute old.',
      audit_on_read: true,
    });
    expect(describeTool(read)).toBe(
      'Create one support ticket for one validated workflow step.\nThis tool only reads; it may be called again.\nFreshness: At most a minute old.\nEvery reading is recorded.',
    );
  });
});
