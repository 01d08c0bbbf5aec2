/** What may go red, quickest first where a mutant does not say otherwise. Each is run once unmutated, and must be green. */
export const CHECKS = {
  rules: ['vitest', 'run', '--project', 'unit', 'lib/domain/transitions.test.ts'],
  simulation: ['node', 'scripts/simulate.ts', '--until-violation', '--depth', '3', '--seeds', '2600'],
  walks: ['vitest', 'run', '--project', 'unit', 'lib/executor/simulation/model-runs.test.ts'],
  conformance: ['vitest', 'run', '--project', 'unit', 'lib/executor/simulation/simulated-store.test.ts'],
  'equal rules': ['vitest', 'run', '--project', 'db', 'db/rules.db.test.ts'],
  'SQL conformance': ['vitest', 'run', '--project', 'db', 'lib/executor/postgres-store.db.test.ts'],
  'SQL models': ['vitest', 'run', '--project', 'db', 'lib/executor/store-models.db.test.ts'],
  decisions: ['vitest', 'run', '--project', 'db', 'db/decide.db.test.ts'],
  authorization: ['vitest', 'run', '--project', 'db', 'lib/executor/authorization.db.test.ts'],
  deliveries: ['vitest', 'run', '--project', 'db', 'lib/executor/deliveries.db.test.ts'],
  'late answers': ['vitest', 'run', '--project', 'db', 'lib/executor/late-answers.db.test.ts'],
  'stored results': ['vitest', 'run', '--project', 'db', 'lib/executor/retention.db.test.ts'],
  classify: ['vitest', 'run', '--project', 'unit', 'lib/executor/classify.test.ts'],
  preconditions: ['vitest', 'run', '--project', 'db', 'lib/executor/preconditions.db.test.ts'],
} as const satisfies Record<string, readonly [program: string, ...args: string[]]>;
export type Check = keyof typeof CHECKS;

interface Change {
  file: string;
  /** Stands exactly once in the file. */
  from: string;
  to: string;
}

export interface Mutant {
  /** What is taken away. */
  rule: string;
  /** Several where each alone is redundant. */
  changes: readonly Change[];
  /** Run in this order until one is red. */
  checks: readonly Check[];
}

const TRANSITIONS = 'lib/domain/transitions.ts';
const STORE = 'drizzle/0008_whole_executor.sql';
const FIRST_STORE = 'drizzle/0005_executor.sql';

const mutant = (rule: string, checks: readonly Check[], ...changes: Change[]): Mutant => ({
  rule,
  checks,
  changes,
});
const change = (file: string, from: string, to: string): Change => ({ file, from, to });

const OF_RULES: readonly Check[] = ['simulation', 'rules', 'walks', 'conformance', 'equal rules'];
const rule = (name: string, from: string, to: string) =>
  mutant(name, OF_RULES, change(TRANSITIONS, from, to));
const guard = (event: string, from: string, to: string) =>
  mutant(
    `guard of ${event}: ${to}`,
    ['rules', 'simulation', 'walks', 'conformance', 'equal rules'],
    change(TRANSITIONS, from, to),
  );
const sql = (name: string, file: string, from: string, to: string) =>
  mutant(`SQL: ${name}`, ['SQL conformance', 'SQL models', 'decisions'], change(file, from, to));

/** The thirteen rules of the executor, each taken away where it is kept. */
const RULES: readonly Mutant[] = [
  mutant(
    'rule 1: nothing is sent before a durable claim',
    ['simulation', 'walks'],
    change(
      'lib/executor/claim.ts',
      'if (record === null) throw error;',
      'if (record === null) return { held: { ...held, record: { ...row, attempt: 1 } as never } };',
    ),
  ),
  rule(
    'rule 2: lease expiry after sending never leads to another send',
    "return !f.sent && isDoubtless(f) ? pending('ready') : inDoubt(f);",
    "return pending('ready');",
  ),
  rule(
    'rule 3: doubt is sticky',
    "refuse: (f) => isLeased(f) && f.doubt !== 'earlier' && !isFound(f),",
    'refuse: (f) => isLeased(f),',
  ),
  mutant(
    'rule 4: an error after sending is doubt',
    ['simulation', 'classify'],
    change(
      'lib/executor/classify.ts',
      "return { event: 'doubt', reason: 'no_answer', because };",
      "return { event: 'release', retryAfterMs: null };",
    ),
  ),
  mutant(
    'rule 4: applied needs a receipt',
    ['classify', 'deliveries'],
    change(
      'lib/executor/classify.ts',
      'if (reference === null && contract.receipt?.required)',
      'if (reference === undefined)',
    ),
  ),
  mutant(
    'rule 5: live-lease check and token together',
    ['simulation', 'conformance'],
    change(TRANSITIONS, "expire: (f) => isLeased(f) && f.lease === 'expired',", 'expire: isLeased,'),
    change('lib/executor/claim.ts', 'leaseToken: delivery.world.random.uuid(),', "leaseToken: 'token',"),
  ),
  mutant(
    'rule 5: a fenced worker’s late answer is kept',
    ['simulation', 'late answers'],
    change(
      'lib/executor/record-end.ts',
      "  if (end.event === 'accept') return await recordLateJob",
      "  if (end.event === 'apply') return null;\n  if (end.event === 'accept') return await recordLateJob",
    ),
  ),
  rule(
    'rule 6: absence proves nothing unless it is conclusive',
    "f.evidence === 'absent_conclusive' && f.epoch === 'current'",
    "f.evidence.startsWith('absent') && f.epoch === 'current'",
  ),
  mutant(
    'rule 6: a lookup that fails proves nothing',
    ['simulation'],
    change('lib/executor/lookup.ts', "{ answer: 'failed', because });", "{ answer: 'absent' });"),
  ),
  mutant(
    'rule 7: nothing is written to the wire after the budget',
    ['simulation'],
    change('lib/executor/attempt.ts', 'remaining > 0', 'remaining < Infinity'),
  ),
  mutant(
    'rule 8: another fingerprint performs and reveals nothing',
    ['deliveries'],
    change(
      'lib/executor/delivery.ts',
      'return record.request_fingerprint === request.identity.fingerprint;',
      'return true;',
    ),
  ),
  mutant(
    'rule 9: authorization is asked again before the effect',
    ['authorization'],
    change('lib/executor/before-effect.ts', 'if (!authorized.allowed)', 'if (authorized.mark === undefined)'),
  ),
  mutant(
    'rule 9: preconditions are asked before the effect',
    ['preconditions'],
    change('lib/executor/before-effect.ts', 'if (!holds) {', 'if (false as boolean) {'),
  ),
  mutant(
    'rule 10: a sibling needs a new intent event',
    ['SQL conformance'],
    change(STORE, "when app.has_sibling(c, item) then 'sibling' end;", "when false then 'sibling' end;"),
  ),
  mutant(
    'rule 10: a sibling needs a new intent event, in the simulated store',
    ['simulation', 'conformance'],
    change(
      'lib/executor/simulation/store-model.ts',
      "if (this.#hasSibling(item, contract)) return refused('sibling');",
      '',
    ),
  ),
  mutant(
    'rule 11: a decision is of the version that was seen',
    ['decisions'],
    change(
      'drizzle/0013_second_person.sql',
      'if refusal is null and o.version <> p_version then',
      'if refusal is null and false then',
    ),
  ),
  rule(
    'rule 12: what is in doubt is never abandoned',
    "f.pendingReason === 'awaiting_approval') &&\n    isDoubtless(f) &&\n    !isFound(f) &&\n    f.abandonPassed,",
    "f.pendingReason === 'awaiting_approval') &&\n    f.abandonPassed,",
  ),
  mutant(
    'rule 12: a result that was dropped keeps its tombstone',
    ['SQL conformance', 'stored results'],
    change(STORE, 'o.request_redacted := null; o.tombstoned_at := at;', 'o.request_redacted := null;'),
  ),
  rule(
    'rule 13: an older epoch takes only what loses nothing',
    "if (f.epoch === 'older' && f.status !== 'none' && !OLDER_EPOCH.has(event)) return false;",
    '',
  ),
];

/** What several guards share. */
const PREDICATES: readonly Mutant[] = [
  rule(
    'key window at acquire and resend',
    "(f.capabilities.resend === 'keyed' && f.keyWindow === 'open')",
    "f.capabilities.resend === 'keyed'",
  ),
  rule(
    'a contract without means is not recoverable',
    "(f.capabilities.lookup !== 'none' || f.capabilities.resend !== 'never')",
    "f.capabilities.lookup !== 'advisory'",
  ),
  rule(
    'a found effect, advisory or not, stops another send',
    "f.evidence === 'found' || f.evidence === 'found_advisory';",
    "f.evidence === 'found';",
  ),
  rule(
    'nobody decides under a live lease',
    "isUnknown(f) || (f.status === 'pending' && !isLive(f))",
    "isUnknown(f) || f.status === 'pending'",
  ),
  rule(
    'attempts left',
    'const mayAttempt = (f: Facts) =>\n  f.attemptsLeft &&',
    'const mayAttempt = (f: Facts) =>',
  ),
  rule('manual tools attempt nothing', '  !f.manual &&\n', ''),
  rule(
    'no attempt without its approval',
    "  f.approval !== 'missing' &&\n  f.predecessor",
    '  f.predecessor',
  ),
  rule(
    'a successor only while its predecessor stands',
    "  f.predecessor !== 'changed' &&\n  !isFound(f) &&\n  (isDoubtless(f) || resendOpen(f));",
    '  !isFound(f) &&\n  (isDoubtless(f) || resendOpen(f));',
  ),
  rule(
    'no attempt against found evidence',
    '  !isFound(f) &&\n  (isDoubtless(f) || resendOpen(f));\n\nconst settlesAbsent',
    '  (isDoubtless(f) || resendOpen(f));\n\nconst settlesAbsent',
  ),
  rule(
    'no attempt in doubt unless it may be sent again',
    '  !isFound(f) &&\n  (isDoubtless(f) || resendOpen(f));\n\nconst settlesAbsent',
    '  !isFound(f);\n\nconst settlesAbsent',
  ),
  rule(
    'a delicate effect needs an attempt that ended',
    'isConclusivelyAbsent(f) && !(f.capabilities.delicate && !f.ended);',
    'isConclusivelyAbsent(f);',
  ),
  rule(
    'resend: attempts left',
    'const mayResend = (f: Facts) =>\n  f.attemptsLeft &&',
    'const mayResend = (f: Facts) =>',
  ),
  rule('resend: before the time to recover is over', '  !f.recoverPassed &&\n', ''),
  rule(
    'resend: never against found evidence',
    "  !isFound(f) &&\n  (f.capabilities.lookup === 'none' || f.asked) &&",
    "  (f.capabilities.lookup === 'none' || f.asked) &&",
  ),
  rule('resend: a question first', "  (f.capabilities.lookup === 'none' || f.asked) &&\n", ''),
  rule('resend: only where it may be', 'f.asked) &&\n  resendOpen(f);', 'f.asked);'),
  rule('gives up when nothing is left', 'return !lookupMayTell && !sendMayTell;', 'return false;'),
];

/** Each guard of the table, weaker. */
const GUARDS: readonly Mutant[] = [
  guard('claim', "claim: (f) => f.status === 'none',", 'claim: () => true,'),
  guard('enqueue', "enqueue: (f) => f.status === 'none',", 'enqueue: () => true,'),
  guard(
    'request_approval',
    "    f.approval === 'missing' &&\n    isDoubtless(f) &&\n",
    "    f.approval === 'missing' &&\n",
  ),
  guard('request_approval', '(isLeased(f) && !f.sent)),', 'isLeased(f)),'),
  guard(
    'approve',
    "approve: (f) => f.pendingReason === 'awaiting_approval',",
    "approve: (f) => f.status === 'pending',",
  ),
  guard(
    'deny',
    "deny: (f) => f.pendingReason === 'awaiting_approval' && isDoubtless(f) && !isFound(f),",
    "deny: (f) => f.pendingReason === 'awaiting_approval',",
  ),
  guard('acquire', "(f.pendingReason === 'ready' && f.due)", "f.pendingReason === 'ready'"),
  guard('acquire', '    f.versionHeld &&\n', ''),
  guard('acquire', '    mayAttempt(f),\n', '    true,\n'),
  guard('send', '    isLive(f) &&\n', ''),
  guard('send', '    !f.sent &&\n', ''),
  guard('send', "    f.predecessor !== 'changed' &&\n", ''),
  guard(
    'send',
    '    !isFound(f) &&\n    (isDoubtless(f) || resendOpen(f)),',
    '    (isDoubtless(f) || resendOpen(f)),',
  ),
  guard('send', '    !isFound(f) &&\n    (isDoubtless(f) || resendOpen(f)),', '    !isFound(f),'),
  guard('accept', 'accept: (f) => isLeased(f) && f.sent,', 'accept: isLeased,'),
  guard('apply', 'apply: (f) => isLeased(f) && f.sent,', 'apply: isLeased,'),
  guard(
    'refuse',
    "refuse: (f) => isLeased(f) && f.doubt !== 'earlier' && !isFound(f),",
    "refuse: (f) => isLeased(f) && f.doubt !== 'earlier',",
  ),
  guard(
    'release',
    "release: (f) => isLeased(f) && f.doubt !== 'earlier' && !isFound(f),",
    'release: (f) => isLeased(f) && !isFound(f),',
  ),
  guard(
    'release',
    "release: (f) => isLeased(f) && f.doubt !== 'earlier' && !isFound(f),",
    "release: (f) => isLeased(f) && f.doubt !== 'earlier',",
  ),
  guard(
    'doubt',
    "doubt: (f) => isLeased(f) && (f.doubt !== 'none' || isFound(f) || f.epoch === 'older'),",
    'doubt: isLeased,',
  ),
  guard('expire', "expire: (f) => isLeased(f) && f.lease === 'expired',", 'expire: isLeased,'),
  guard(
    'settle_found',
    "settle_found: (f) => isOpen(f) && f.evidence === 'found',",
    'settle_found: (f) => isOpen(f) && isFound(f),',
  ),
  guard(
    'settle_found',
    "settle_found: (f) => isOpen(f) && f.evidence === 'found',",
    "settle_found: (f) => f.evidence === 'found',",
  ),
  guard(
    'settle_refused',
    "    f.evidence === 'refused_conclusive',",
    "    f.evidence.startsWith('refused'),",
  ),
  guard(
    'settle_refused',
    "    (isRecovering(f) || isUnknown(f) || f.pendingReason === 'accepted') &&\n    f.evidence",
    '    f.evidence',
  ),
  guard(
    'settle_absent',
    'settle_absent: (f) => (isRecovering(f) || isUnknown(f)) && settlesAbsent(f),',
    'settle_absent: settlesAbsent,',
  ),
  guard('resend', 'resend: (f) => (isRecovering(f) || isUnknown(f)) && mayResend(f),', 'resend: mayResend,'),
  guard('give_up', '    (f.recoverPassed || isExhausted(f)),', '    true,'),
  guard(
    'give_up',
    "      (f.pendingReason === 'ready' && f.doubt !== 'none')) &&\n    (f.recover",
    "      f.pendingReason === 'ready') &&\n    (f.recover",
  ),
  guard('decide_applied', 'decide_applied: isOpen,', 'decide_applied: () => true,'),
  guard('decide_failed', 'decide_failed: (f) => isOpen(f) && !isFound(f),', 'decide_failed: isOpen,'),
  guard(
    'decide_new_key',
    "decide_new_key: (f) => isOpen(f) && !isFound(f) && f.predecessor !== 'changed',",
    'decide_new_key: isOpen,',
  ),
  guard('amend', 'amend: (f) => isTerminal(f) && f.contradicted,', 'amend: isTerminal,'),
  guard(
    'fail_over',
    "fail_over: (f) => (f.status === 'pending' || isUnknown(f)) && f.epoch === 'older',",
    "fail_over: (f) => f.status === 'pending' || isUnknown(f),",
  ),
  guard('abandon', '    f.abandonPassed,', '    true,'),
  guard(
    'compact',
    "compact: (f) => isTerminal(f) && !f.contradicted && f.retention === 'past',",
    "compact: (f) => isTerminal(f) && f.retention === 'past',",
  ),
  guard(
    'compact',
    "compact: (f) => isTerminal(f) && !f.contradicted && f.retention === 'past',",
    'compact: (f) => isTerminal(f) && !f.contradicted,',
  ),
];

/** What the rules are worth nothing without: the worker's own code. */
const CODE: readonly Mutant[] = [
  mutant(
    'a refusal that the table does not allow becomes doubt',
    ['simulation'],
    change(
      'lib/executor/record-end.ts',
      "if (recorded.refusal !== 'not_allowed' ||",
      "if (recorded.refusal !== 'fenced' ||",
    ),
  ),
  mutant(
    'a lost reply to the end of an attempt is written again',
    ['simulation'],
    change(
      'lib/executor/record-end.ts',
      'return tries > 1 ? own(held, end, answer) : answer;',
      'return { refusal: null, record: answer.record };',
    ),
  ),
  mutant(
    'what was read before the question is matched when it settles',
    ['simulation'],
    change(
      'lib/executor/reconcile.ts',
      '...(fenced && { version: record.version, attempt: record.attempt }),',
      '',
    ),
  ),
  mutant(
    'an attempt over its budget has not reported its end',
    ['simulation', 'late answers', 'conformance'],
    change(
      'lib/executor/attempt.ts',
      "because: 'call budget is over', ended: false }",
      "because: 'call budget is over' }",
    ),
  ),
  mutant(
    'a worker holds what its token says, not what it asked for',
    ['simulation', 'walks'],
    change(
      'lib/executor/claim.ts',
      'return record.lease_token === held.leaseToken ? { held: { ...held, record } } : { record };',
      'return { held: { ...held, record } };',
    ),
  ),
  mutant(
    'settle’s version match and its asked-time check together',
    ['simulation', 'conformance'],
    change(
      'lib/executor/simulation/fire-event.ts',
      "export const isFencedByVersion = oneOf('settle_refused', 'settle_absent', 'resend', 'give_up');",
      'export const isFencedByVersion = oneOf();',
    ),
    change(
      'lib/executor/simulation/stored-facts.ts',
      'row.evidence_asked_at > row.quiet_until + contract.settle_seconds * 1000;',
      'row.evidence_asked_at > row.created_at;',
    ),
  ),
];

/** The same guards, as the database keeps them. */
const SQL: readonly Mutant[] = [
  sql(
    'the lease token fences',
    STORE,
    "(o.lease_token is null or o.lease_token is distinct from (item->>'lease_token')::uuid) then 'fenced'",
    "false then 'fenced'",
  ),
  sql(
    'the version that was read fences what settles',
    STORE,
    "(o.version is distinct from (item->>'version')::bigint or o.attempt is distinct from (item->>'attempt')::integer) then 'changed'",
    "false then 'changed'",
  ),
  sql(
    'the table allows',
    STORE,
    "when not app.allowed(p_event, f) then 'not_allowed' end;",
    "when false then 'not_allowed' end;",
  ),
  sql(
    'absence is asked after quiet time and settle window',
    STORE,
    'when l.authoritative and not app.job_open(o)\n        and (o).evidence_asked_at',
    'when l.authoritative and not app.job_open(o)\n        or (o).evidence_asked_at',
  ),
  sql(
    'no absence is conclusive while a job is open',
    STORE,
    'when l.authoritative and not app.job_open(o)',
    'when l.authoritative',
  ),
  sql(
    'found stays',
    STORE,
    "when o.evidence = 'found' then l.answer = 'found' and exists",
    "when false then l.answer = 'found' and exists",
  ),
  sql(
    'evidence is ordered by when it was asked',
    STORE,
    "else l.answer = 'found' or l.asked_at >= o.evidence_asked_at end;",
    'else true end;',
  ),
  sql(
    'evidence typed by a person is no authority',
    STORE,
    "(item->>'authoritative')::boolean and item->>'source' <> 'person', (item",
    "(item->>'authoritative')::boolean, (item",
  ),
  sql(
    'late evidence settles at once',
    STORE,
    "if l.source = 'late_answer' and app.allowed('settle_found', f) then",
    'if false then',
  ),
  sql(
    'what contradicts makes a case',
    STORE,
    "when 'failed_permanent' then l.answer = 'found'\n",
    "when 'failed_permanent' then false\n",
  ),
  sql(
    'a heartbeat stops at quiet time',
    FIRST_STORE,
    'case when o.sent_attempt = o.attempt then o.quiet_until',
    "case when o.sent_attempt = o.attempt then o.quiet_until + interval '1 hour'",
  ),
  sql(
    'a heartbeat revives nothing',
    FIRST_STORE,
    'and o.lease_token = i.lease_token and o.lease_until > clock_timestamp()',
    'and o.lease_token = i.lease_token',
  ),
  sql(
    'a row is taken once',
    STORE,
    'set next_attempt_at = clock_timestamp() + make_interval(secs => p_seconds)',
    'set next_attempt_at = clock_timestamp()',
  ),
];

export const MUTANTS: readonly Mutant[] = [...RULES, ...PREDICATES, ...GUARDS, ...CODE, ...SQL];
