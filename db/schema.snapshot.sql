-- schemas
schema app owner replay_owner
schema public owner replay_owner

-- relations
table app.epochs owner replay_owner
composite type app.facts owner replay_owner
table app.schema_migrations owner replay_owner
table public.approvals owner replay_owner, row level security, forced
table public.audit_entries owner replay_owner, row level security, forced
table public.audit_heads owner replay_owner, row level security, forced
table public.connector_health owner replay_owner, row level security, forced
table public.decisions owner replay_owner, row level security, forced
table public.duty_runs owner replay_owner
table public.fault_runs owner replay_owner
table public.grants owner replay_owner, row level security, forced
table public.identities owner replay_owner
table public.identity_grants owner replay_owner, row level security, forced
table public.lookup_requests owner replay_owner, row level security, forced
table public.lookups owner replay_owner, row level security, forced
table public.provider_effects owner replay_owner, row level security, forced
table public.provider_findings owner replay_owner, row level security, forced
table public.provider_walks owner replay_owner, row level security, forced
table public.sessions owner replay_owner
table public.tool_contracts owner replay_owner
table public.tool_operation_events owner replay_owner, row level security, forced
sequence public.tool_operation_events_event_id_seq owner replay_owner
table public.tool_operations owner replay_owner, row level security, forced
table public.users owner replay_owner

-- columns
app.epochs.epoch text not null
app.epochs.seen_at timestamp with time zone not null default clock_timestamp()
app.epochs.survived_at timestamp with time zone
app.epochs.accepted_at timestamp with time zone
app.epochs.accepted_by text
app.epochs.reason text
app.facts.status text
app.facts.pending_reason text
app.facts.lease text
app.facts.sent boolean
app.facts.doubt text
app.facts.ended boolean
app.facts.due boolean
app.facts.attempts_left boolean
app.facts.evidence text
app.facts.asked boolean
app.facts.key_window text
app.facts.recover_passed boolean
app.facts.job_open boolean
app.facts.version_held boolean
app.facts.approval text
app.facts.predecessor text
app.facts.manual boolean
app.facts.contradicted boolean
app.facts.retention text
app.facts.abandon_passed boolean
app.facts.epoch text
app.facts.adopted boolean
app.facts.lookup text
app.facts.resend text
app.facts.delicate boolean
app.schema_migrations.name text not null
app.schema_migrations.sha256 text not null
app.schema_migrations.applied_at timestamp with time zone not null default now()
public.approvals.tenant_id text not null
public.approvals.approval_id uuid not null default gen_random_uuid()
public.approvals.environment text not null
public.approvals.operation_key text not null
public.approvals.request_fingerprint text not null
public.approvals.tool_version text not null
public.approvals.operation_version bigint not null
public.approvals.state text not null default 'requested'::text
public.approvals.requested_by text not null
public.approvals.requested_at timestamp with time zone not null default clock_timestamp()
public.approvals.decision_id uuid
public.approvals.decided_by uuid
public.approvals.decided_at timestamp with time zone
public.approvals.reason text
public.approvals.valid_until timestamp with time zone
public.approvals.consumed_at timestamp with time zone
public.approvals.consumed_attempt integer
public.audit_entries.tenant_id text not null
public.audit_entries.environment text not null
public.audit_entries.sequence bigint not null
public.audit_entries.at timestamp with time zone not null
public.audit_entries.actor text not null
public.audit_entries.action text not null
public.audit_entries.operation_key text
public.audit_entries.body bytea not null
public.audit_entries.previous_hash bytea not null
public.audit_entries.hash bytea not null
public.audit_heads.tenant_id text not null
public.audit_heads.environment text not null
public.audit_heads.sequence bigint not null
public.audit_heads.hash bytea not null
public.connector_health.tenant_id text not null
public.connector_health.environment text not null
public.connector_health.connector text not null
public.connector_health.failing_since timestamp with time zone
public.connector_health.failures integer not null default 0
public.connector_health.last_key text
public.connector_health.because text
public.connector_health.failed_at timestamp with time zone
public.connector_health.answered_at timestamp with time zone
public.decisions.tenant_id text not null
public.decisions.decision_id uuid not null
public.decisions.environment text not null
public.decisions.operation_key text not null
public.decisions.state text not null
public.decisions.verdict text not null
public.decisions.reason text not null
public.decisions.effect_reference text
public.decisions.evidence_ids uuid[] not null default '{}'::uuid[]
public.decisions.expected_version bigint not null
public.decisions.recorded_version bigint
public.decisions.successor_key text
public.decisions.decided_by uuid not null
public.decisions.content_digest bytea not null
public.decisions.audit_sequence bigint
public.decisions.decided_at timestamp with time zone not null default clock_timestamp()
public.decisions.approved_by uuid
public.decisions.approved_at timestamp with time zone
public.decisions.approval_reason text
public.decisions.voided_by uuid
public.decisions.voided_at timestamp with time zone
public.decisions.voided_because text
public.decisions.void_reason text
public.duty_runs.duty text not null
public.duty_runs.worker text not null
public.duty_runs.runs bigint not null default 1
public.duty_runs.started_at timestamp with time zone not null
public.duty_runs.ended_at timestamp with time zone not null default clock_timestamp()
public.duty_runs.report jsonb not null default '{}'::jsonb
public.duty_runs.failed text
public.fault_runs.run_id uuid not null default gen_random_uuid()
public.fault_runs.tool_name text not null
public.fault_runs.tool_version text not null
public.fault_runs.contract_digest text not null
public.fault_runs.played_digest text not null
public.fault_runs.started_at timestamp with time zone not null
public.fault_runs.recorded_at timestamp with time zone not null default clock_timestamp()
public.fault_runs.passed boolean not null
public.fault_runs.report jsonb not null
public.grants.tenant_id text not null
public.grants.environment text not null
public.grants.user_id uuid not null
public.grants.role text not null
public.grants.granted_by text not null
public.grants.granted_at timestamp with time zone not null default clock_timestamp()
public.identities.issuer text not null
public.identities.subject text not null
public.identities.user_id uuid not null
public.identities.created_at timestamp with time zone not null default clock_timestamp()
public.identity_grants.tenant_id text not null
public.identity_grants.environment text not null
public.identity_grants.issuer text not null
public.identity_grants.subject text not null
public.identity_grants.role text not null
public.lookup_requests.tenant_id text not null
public.lookup_requests.request_id uuid not null
public.lookup_requests.environment text not null
public.lookup_requests.operation_key text not null
public.lookup_requests.asked_by text not null
public.lookup_requests.asked_at timestamp with time zone not null default clock_timestamp()
public.lookup_requests.taken_until timestamp with time zone
public.lookup_requests.answered_at timestamp with time zone
public.lookup_requests.evidence_id uuid
public.lookups.tenant_id text not null
public.lookups.evidence_id uuid not null default gen_random_uuid()
public.lookups.environment text not null
public.lookups.operation_key text not null
public.lookups.request_id uuid
public.lookups.source text not null
public.lookups.asked_by text not null
public.lookups.connector text
public.lookups.looked_up_by text
public.lookups.asked_at timestamp with time zone not null
public.lookups.answered_at timestamp with time zone not null default clock_timestamp()
public.lookups.answer text not null
public.lookups.authoritative boolean not null
public.lookups.names_attempt integer
public.lookups.effect_reference text
public.lookups.committed_at timestamp with time zone
public.lookups.response_json jsonb
public.lookups.summary text not null
public.lookups.detail jsonb not null default '{}'::jsonb
public.lookups.response_sealed bytea
public.provider_effects.tenant_id text not null
public.provider_effects.environment text not null
public.provider_effects.tool_name text not null
public.provider_effects.reference_digest bytea not null
public.provider_effects.reference text not null
public.provider_effects.downstream_key text
public.provider_effects.committed_at timestamp with time zone
public.provider_effects.first_seen_at timestamp with time zone not null
public.provider_effects.last_seen_at timestamp with time zone not null
public.provider_effects.explained_at timestamp with time zone
public.provider_findings.tenant_id text not null
public.provider_findings.finding_id uuid not null default gen_random_uuid()
public.provider_findings.environment text not null
public.provider_findings.tool_name text not null
public.provider_findings.kind text not null
public.provider_findings.subject bytea not null
public.provider_findings.operation_key text
public.provider_findings.reference text
public.provider_findings.downstream_key text
public.provider_findings.committed_at timestamp with time zone
public.provider_findings.opened_at timestamp with time zone not null default clock_timestamp()
public.provider_findings.closed_at timestamp with time zone
public.provider_walks.tenant_id text not null
public.provider_walks.environment text not null
public.provider_walks.tool_name text not null
public.provider_walks.runs bigint not null default 0
public.provider_walks.run_id uuid
public.provider_walks.worker text
public.provider_walks.taken_until timestamp with time zone
public.provider_walks.started_at timestamp with time zone
public.provider_walks.ended_at timestamp with time zone
public.provider_walks.failed text
public.provider_walks.pages integer not null default 0
public.provider_walks.effects integer not null default 0
public.provider_walks.opened integer not null default 0
public.provider_walks.closed integer not null default 0
public.provider_walks.next_walk_at timestamp with time zone not null default now()
public.provider_walks.completed_at timestamp with time zone
public.provider_walks.resume_after text
public.provider_walks.passing boolean not null default true
public.provider_walks.next_resume_after text
public.provider_walks.judged_until timestamp with time zone not null default '-infinity'::timestamp with time zone
public.sessions.token_hash bytea not null
public.sessions.user_id uuid not null
public.sessions.created_at timestamp with time zone not null default clock_timestamp()
public.sessions.expires_at timestamp with time zone not null
public.tool_contracts.name text not null
public.tool_contracts.version text not null
public.tool_contracts.digest text not null
public.tool_contracts.revision integer not null default 1
public.tool_contracts.body jsonb not null
public.tool_contracts.effect_class text not null
public.tool_contracts.lookup text not null
public.tool_contracts.resend text not null
public.tool_contracts.delicate boolean not null
public.tool_contracts.key_window_seconds integer
public.tool_contracts.call_budget_ms integer not null
public.tool_contracts.settle_seconds integer not null
public.tool_contracts.recovery_seconds integer not null
public.tool_contracts.job_seconds integer
public.tool_contracts.max_attempts integer not null
public.tool_contracts.backoff_seconds integer not null
public.tool_contracts.lease_seconds integer not null
public.tool_contracts.response_seconds integer not null
public.tool_contracts.retention_seconds integer not null
public.tool_contracts.abandon_after_seconds integer
public.tool_contracts.decision text not null
public.tool_contracts.registered_at timestamp with time zone not null default clock_timestamp()
public.tool_contracts.require_intent text not null default 'on_sibling'::text
public.tool_contracts.sibling_window_seconds integer not null default 0
public.tool_contracts.approval_valid_seconds integer
public.tool_contracts.outage_seconds integer not null default 86400
public.tool_contracts.one_per_reference boolean not null default false
public.tool_operation_events.tenant_id text not null
public.tool_operation_events.environment text not null
public.tool_operation_events.operation_key text not null
public.tool_operation_events.event_id bigint not null identity always
public.tool_operation_events.at timestamp with time zone not null default clock_timestamp()
public.tool_operation_events.kind text not null
public.tool_operation_events.steps jsonb not null default '[]'::jsonb
public.tool_operation_events.from_status text
public.tool_operation_events.to_status text
public.tool_operation_events.to_pending_reason text
public.tool_operation_events.reason text
public.tool_operation_events.attempt integer
public.tool_operation_events.version bigint
public.tool_operation_events.actor text
public.tool_operation_events.worker text
public.tool_operation_events.trace_id text
public.tool_operation_events.span_id text
public.tool_operation_events.tool_call_id text
public.tool_operation_events.delivery_id text
public.tool_operation_events.detail jsonb not null default '{}'::jsonb
public.tool_operations.tenant_id text not null
public.tool_operations.operation_key text not null
public.tool_operations.tool_name text not null
public.tool_operations.tool_version text not null
public.tool_operations.request_fingerprint text not null
public.tool_operations.status text not null
public.tool_operations.effect_reference text
public.tool_operations.response_json jsonb
public.tool_operations.lease_until timestamp with time zone
public.tool_operations.created_at timestamp with time zone not null default now()
public.tool_operations.updated_at timestamp with time zone not null default now()
public.tool_operations.environment text not null
public.tool_operations.effect_class text
public.tool_operations.contract_digest text
public.tool_operations.connector text
public.tool_operations.deploy text
public.tool_operations.fingerprint_version integer not null default 0
public.tool_operations.request_redacted jsonb
public.tool_operations.request_sealed bytea
public.tool_operations.intent_event text
public.tool_operations.business_reference text
public.tool_operations.pending_reason text
public.tool_operations.reason text
public.tool_operations.attempt integer not null default 1
public.tool_operations.sent_attempt integer default 1
public.tool_operations.doubt_attempt integer default 1
public.tool_operations.first_sent_at timestamp with time zone
public.tool_operations.sent_at timestamp with time zone
public.tool_operations.quiet_until timestamp with time zone
public.tool_operations.attempt_ended_at timestamp with time zone
public.tool_operations.downstream_key text
public.tool_operations.downstream_request_id text
public.tool_operations.lease_owner text
public.tool_operations.lease_token uuid
public.tool_operations.next_attempt_at timestamp with time zone
public.tool_operations.recover_until timestamp with time zone
public.tool_operations.provider_job_id text
public.tool_operations.response_sealed bytea
public.tool_operations.delivery_state text
public.tool_operations.evidence text
public.tool_operations.evidence_id uuid
public.tool_operations.evidence_asked_at timestamp with time zone
public.tool_operations.case_at timestamp with time zone
public.tool_operations.contradicted_at timestamp with time zone
public.tool_operations.response_due_at timestamp with time zone
public.tool_operations.resolved_by text
public.tool_operations.supersedes_key text
public.tool_operations.successor_key text
public.tool_operations.workflow_id text
public.tool_operations.step_id text
public.tool_operations.actor text
public.tool_operations.trace_id text
public.tool_operations.epoch text default NULLIF(current_setting('app.accepted_epoch'::text, true), ''::text)
public.tool_operations.adopted boolean not null default true
public.tool_operations.version bigint not null default 1
public.tool_operations.expires_at timestamp with time zone
public.tool_operations.tombstoned_at timestamp with time zone
public.tool_operations.approval_required boolean not null default false
public.tool_operations.job_ended_at timestamp with time zone
public.users.user_id uuid not null default gen_random_uuid()
public.users.name text not null
public.users.email text
public.users.disabled_at timestamp with time zone
public.users.created_at timestamp with time zone not null default clock_timestamp()

-- constraints
app.epochs epochs_check CHECK (((accepted_at IS NULL) = (accepted_by IS NULL)))
app.epochs epochs_pkey PRIMARY KEY (epoch)
app.schema_migrations schema_migrations_pkey PRIMARY KEY (name)
public.approvals approvals_check CHECK (((state = 'requested'::text) = (decided_at IS NULL)))
public.approvals approvals_check1 CHECK (((state = 'approved'::text) = (valid_until IS NOT NULL)))
public.approvals approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(user_id)
public.approvals approvals_pkey PRIMARY KEY (tenant_id, approval_id)
public.approvals approvals_reason_check CHECK (((length(btrim(reason)) >= 1) AND (length(btrim(reason)) <= 4000)))
public.approvals approvals_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'approved'::text, 'denied'::text])))
public.approvals approvals_tenant_id_operation_key_fkey FOREIGN KEY (tenant_id, operation_key) REFERENCES tool_operations(tenant_id, operation_key)
public.audit_entries audit_entries_pkey PRIMARY KEY (tenant_id, environment, sequence)
public.audit_entries audit_entries_sequence_check CHECK ((sequence > 0))
public.audit_heads audit_heads_pkey PRIMARY KEY (tenant_id, environment)
public.connector_health connector_health_pkey PRIMARY KEY (tenant_id, environment, connector)
public.decisions decisions_approval_reason_check CHECK (((length(btrim(approval_reason)) >= 1) AND (length(btrim(approval_reason)) <= 4000)))
public.decisions decisions_approved CHECK ((((state = 'approved'::text) = (approved_by IS NOT NULL)) AND ((approved_by IS NULL) = (approved_at IS NULL)) AND ((approved_by IS NULL) = (approval_reason IS NULL))))
public.decisions decisions_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(user_id)
public.decisions decisions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(user_id)
public.decisions decisions_in_force CHECK (((state = ANY (ARRAY['recorded'::text, 'approved'::text])) = (recorded_version IS NOT NULL)))
public.decisions decisions_pkey PRIMARY KEY (tenant_id, decision_id)
public.decisions decisions_reason_check CHECK (((length(btrim(reason)) >= 1) AND (length(btrim(reason)) <= 4000)))
public.decisions decisions_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'approved'::text, 'voided'::text, 'recorded'::text])))
public.decisions decisions_tenant_id_operation_key_fkey FOREIGN KEY (tenant_id, operation_key) REFERENCES tool_operations(tenant_id, operation_key)
public.decisions decisions_two_persons CHECK ((approved_by <> decided_by))
public.decisions decisions_verdict_check CHECK ((verdict = ANY (ARRAY['applied'::text, 'failed_permanent'::text, 'approved_new_key'::text])))
public.decisions decisions_void_reason_check CHECK (((length(btrim(void_reason)) >= 1) AND (length(btrim(void_reason)) <= 4000)))
public.decisions decisions_voided CHECK ((((state = 'voided'::text) = (voided_at IS NOT NULL)) AND ((voided_at IS NULL) = (voided_because IS NULL))))
public.decisions decisions_voided_because_check CHECK ((voided_because = ANY (ARRAY['version_changed'::text, 'proposer_not_granted'::text, 'replaced'::text, 'decided'::text, 'withdrawn'::text, 'declined'::text])))
public.decisions decisions_voided_by_fkey FOREIGN KEY (voided_by) REFERENCES users(user_id)
public.duty_runs duty_runs_pkey PRIMARY KEY (duty, worker)
public.fault_runs fault_runs_contract_digest_check CHECK ((contract_digest ~ '^sha256:[0-9a-f]{64}$'::text))
public.fault_runs fault_runs_pkey PRIMARY KEY (run_id)
public.fault_runs fault_runs_played_digest_check CHECK ((played_digest ~ '^sha256:[0-9a-f]{64}$'::text))
public.fault_runs fault_runs_report_check CHECK ((jsonb_typeof(report) = 'object'::text))
public.fault_runs fault_runs_tool_name_check CHECK ((tool_name <> ''::text))
public.grants grants_pkey PRIMARY KEY (tenant_id, environment, user_id, role)
public.grants grants_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'approver'::text, 'auditor'::text, 'administrator'::text])))
public.grants grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id)
public.identities identities_pkey PRIMARY KEY (issuer, subject)
public.identities identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id)
public.identity_grants identity_grants_pkey PRIMARY KEY (tenant_id, environment, issuer, subject, role)
public.identity_grants identity_grants_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'approver'::text, 'auditor'::text, 'administrator'::text])))
public.lookup_requests lookup_requests_pkey PRIMARY KEY (tenant_id, request_id)
public.lookup_requests lookup_requests_tenant_id_operation_key_fkey FOREIGN KEY (tenant_id, operation_key) REFERENCES tool_operations(tenant_id, operation_key)
public.lookups lookups_answer_check CHECK ((answer = ANY (ARRAY['found'::text, 'absent'::text, 'pending'::text, 'refused'::text, 'ambiguous'::text, 'failed'::text])))
public.lookups lookups_pkey PRIMARY KEY (tenant_id, evidence_id)
public.lookups lookups_source_check CHECK ((source = ANY (ARRAY['lookup'::text, 'job'::text, 'late_answer'::text, 'person'::text])))
public.lookups lookups_tenant_id_operation_key_fkey FOREIGN KEY (tenant_id, operation_key) REFERENCES tool_operations(tenant_id, operation_key)
public.provider_effects provider_effects_pkey PRIMARY KEY (tenant_id, environment, tool_name, reference_digest)
public.provider_findings provider_findings_check CHECK ((((kind = 'receipt_missing'::text) AND (operation_key IS NOT NULL)) OR (reference IS NOT NULL)))
public.provider_findings provider_findings_kind_check CHECK ((kind = ANY (ARRAY['no_operation'::text, 'resolved_otherwise'::text, 'another_receipt'::text, 'receipt_missing'::text, 'second_effect'::text])))
public.provider_findings provider_findings_pkey PRIMARY KEY (tenant_id, finding_id)
public.provider_findings provider_findings_tenant_id_operation_key_fkey FOREIGN KEY (tenant_id, operation_key) REFERENCES tool_operations(tenant_id, operation_key)
public.provider_walks provider_walks_pkey PRIMARY KEY (tenant_id, environment, tool_name)
public.sessions sessions_pkey PRIMARY KEY (token_hash)
public.sessions sessions_token_hash_check CHECK ((octet_length(token_hash) = 32))
public.sessions sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id)
public.tool_contracts tool_contracts_abandon_after_seconds_check CHECK ((abandon_after_seconds > 0))
public.tool_contracts tool_contracts_approval_valid_seconds_check CHECK ((approval_valid_seconds > 0))
public.tool_contracts tool_contracts_backoff_seconds_check CHECK ((backoff_seconds > 0))
public.tool_contracts tool_contracts_call_budget_ms_check CHECK ((call_budget_ms > 0))
public.tool_contracts tool_contracts_decision_check CHECK ((decision = ANY (ARRAY['automate'::text, 'automate_with_approval'::text, 'manual'::text])))
public.tool_contracts tool_contracts_job_seconds_check CHECK ((job_seconds > 0))
public.tool_contracts tool_contracts_key_window_seconds_check CHECK ((key_window_seconds > 0))
public.tool_contracts tool_contracts_lease_seconds_check CHECK ((lease_seconds > 0))
public.tool_contracts tool_contracts_lookup_check CHECK ((lookup = ANY (ARRAY['none'::text, 'advisory'::text, 'authoritative'::text])))
public.tool_contracts tool_contracts_max_attempts_check CHECK ((max_attempts > 0))
public.tool_contracts tool_contracts_outage_seconds_check CHECK ((outage_seconds >= 0))
public.tool_contracts tool_contracts_pkey PRIMARY KEY (name, version)
public.tool_contracts tool_contracts_recovery_seconds_check CHECK ((recovery_seconds > 0))
public.tool_contracts tool_contracts_require_intent_check CHECK ((require_intent = ANY (ARRAY['always'::text, 'on_sibling'::text, 'never'::text])))
public.tool_contracts tool_contracts_resend_check CHECK ((resend = ANY (ARRAY['never'::text, 'keyed'::text, 'absolute'::text])))
public.tool_contracts tool_contracts_response_seconds_check CHECK ((response_seconds > 0))
public.tool_contracts tool_contracts_retention_seconds_check CHECK ((retention_seconds > 0))
public.tool_contracts tool_contracts_settle_seconds_check CHECK ((settle_seconds >= 0))
public.tool_contracts tool_contracts_sibling_window_seconds_check CHECK ((sibling_window_seconds >= 0))
public.tool_operation_events tool_operation_events_pkey PRIMARY KEY (tenant_id, operation_key, event_id)
public.tool_operations tool_operations_case CHECK ((adopted OR ((case_at IS NULL) = ((status = ANY (ARRAY['applied'::text, 'failed_permanent'::text, 'approved_new_key'::text])) AND (contradicted_at IS NULL)))))
public.tool_operations tool_operations_doubt CHECK ((adopted OR (doubt_attempt IS NULL) OR ((doubt_attempt >= 1) AND (doubt_attempt <= attempt))))
public.tool_operations tool_operations_environment CHECK (((environment <> ''::text) AND (tenant_id <> ''::text)))
public.tool_operations tool_operations_evidence CHECK (((evidence = ANY (ARRAY['found'::text, 'absent'::text, 'pending'::text, 'refused'::text, 'ambiguous'::text, 'failed'::text])) AND ((evidence IS NULL) = (evidence_id IS NULL)) AND ((evidence IS NULL) = (evidence_asked_at IS NULL))))
public.tool_operations tool_operations_key_scope CHECK ((adopted OR starts_with(operation_key, (((app.key_part(tenant_id) || ':'::text) || app.key_part(environment)) || ':'::text))))
public.tool_operations tool_operations_pending CHECK ((adopted OR
CASE
    WHEN (status <> 'pending'::text) THEN ((pending_reason IS NULL) AND (lease_token IS NULL) AND (lease_until IS NULL))
    WHEN (pending_reason = 'leased'::text) THEN ((lease_token IS NOT NULL) AND (lease_until IS NOT NULL) AND (lease_owner IS NOT NULL) AND (attempt >= 1))
    WHEN (pending_reason = 'ready'::text) THEN ((lease_token IS NULL) AND (lease_until IS NULL) AND (next_attempt_at IS NOT NULL))
    WHEN (pending_reason = 'accepted'::text) THEN ((lease_token IS NULL) AND (lease_until IS NULL) AND (provider_job_id IS NOT NULL) AND (doubt_attempt IS NOT NULL))
    WHEN (pending_reason = 'queued'::text) THEN ((lease_token IS NULL) AND (lease_until IS NULL) AND (doubt_attempt IS NULL))
    WHEN (pending_reason = 'awaiting_approval'::text) THEN ((lease_token IS NULL) AND (lease_until IS NULL) AND (doubt_attempt IS NULL))
    WHEN (pending_reason = 'recovering'::text) THEN ((lease_token IS NULL) AND (lease_until IS NULL) AND (doubt_attempt IS NOT NULL) AND (recover_until IS NOT NULL))
    ELSE false
END))
public.tool_operations tool_operations_pkey PRIMARY KEY (tenant_id, operation_key)
public.tool_operations tool_operations_sent CHECK ((adopted OR (((sent_attempt IS NULL) = (sent_at IS NULL)) AND ((sent_at IS NULL) OR ((first_sent_at IS NOT NULL) AND (quiet_until IS NOT NULL))))))
public.tool_operations tool_operations_status CHECK ((adopted OR (status = ANY (ARRAY['pending'::text, 'applied'::text, 'failed_permanent'::text, 'unknown'::text, 'approved_new_key'::text]))))
public.users users_pkey PRIMARY KEY (user_id)

-- indexes
CREATE UNIQUE INDEX epochs_pkey ON app.epochs USING btree (epoch)
CREATE UNIQUE INDEX schema_migrations_pkey ON app.schema_migrations USING btree (name)
CREATE UNIQUE INDEX approvals_decision ON public.approvals USING btree (tenant_id, decision_id) WHERE (decision_id IS NOT NULL)
CREATE INDEX approvals_of_operation ON public.approvals USING btree (tenant_id, operation_key, requested_at DESC)
CREATE UNIQUE INDEX approvals_one_open ON public.approvals USING btree (tenant_id, operation_key) WHERE (state = 'requested'::text)
CREATE UNIQUE INDEX approvals_pkey ON public.approvals USING btree (tenant_id, approval_id)
CREATE INDEX audit_entries_of_operation ON public.audit_entries USING btree (tenant_id, environment, operation_key, sequence) WHERE (operation_key IS NOT NULL)
CREATE UNIQUE INDEX audit_entries_pkey ON public.audit_entries USING btree (tenant_id, environment, sequence)
CREATE UNIQUE INDEX audit_heads_pkey ON public.audit_heads USING btree (tenant_id, environment)
CREATE UNIQUE INDEX connector_health_pkey ON public.connector_health USING btree (tenant_id, environment, connector)
CREATE INDEX decisions_of_operation ON public.decisions USING btree (tenant_id, operation_key, decided_at)
CREATE UNIQUE INDEX decisions_one_proposal ON public.decisions USING btree (tenant_id, operation_key) WHERE (state = 'proposed'::text)
CREATE UNIQUE INDEX decisions_pkey ON public.decisions USING btree (tenant_id, decision_id)
CREATE UNIQUE INDEX duty_runs_pkey ON public.duty_runs USING btree (duty, worker)
CREATE INDEX fault_runs_of_contract ON public.fault_runs USING btree (tool_name, contract_digest, recorded_at DESC)
CREATE UNIQUE INDEX fault_runs_pkey ON public.fault_runs USING btree (run_id)
CREATE INDEX grants_of_user ON public.grants USING btree (user_id)
CREATE UNIQUE INDEX grants_pkey ON public.grants USING btree (tenant_id, environment, user_id, role)
CREATE UNIQUE INDEX identities_pkey ON public.identities USING btree (issuer, subject)
CREATE UNIQUE INDEX identity_grants_pkey ON public.identity_grants USING btree (tenant_id, environment, issuer, subject, role)
CREATE INDEX lookup_requests_of_operation ON public.lookup_requests USING btree (tenant_id, operation_key, asked_at DESC)
CREATE INDEX lookup_requests_open ON public.lookup_requests USING btree (asked_at) WHERE (answered_at IS NULL)
CREATE UNIQUE INDEX lookup_requests_pkey ON public.lookup_requests USING btree (tenant_id, request_id)
CREATE INDEX lookups_of_operation ON public.lookups USING btree (tenant_id, operation_key, asked_at DESC)
CREATE UNIQUE INDEX lookups_pkey ON public.lookups USING btree (tenant_id, evidence_id)
CREATE INDEX lookups_reference ON public.lookups USING btree (tenant_id, environment, effect_reference) WHERE (effect_reference IS NOT NULL)
CREATE INDEX provider_effects_key ON public.provider_effects USING btree (tenant_id, environment, tool_name, "left"(downstream_key, 200)) WHERE (downstream_key IS NOT NULL)
CREATE UNIQUE INDEX provider_effects_pkey ON public.provider_effects USING btree (tenant_id, environment, tool_name, reference_digest)
CREATE INDEX provider_effects_unexplained ON public.provider_effects USING btree (tenant_id, environment, tool_name) WHERE (explained_at IS NULL)
CREATE UNIQUE INDEX provider_findings_open ON public.provider_findings USING btree (tenant_id, environment, tool_name, kind, subject) WHERE (closed_at IS NULL)
CREATE UNIQUE INDEX provider_findings_pkey ON public.provider_findings USING btree (tenant_id, finding_id)
CREATE INDEX provider_findings_recent ON public.provider_findings USING btree (tenant_id, environment, opened_at DESC, finding_id)
CREATE INDEX provider_walks_due ON public.provider_walks USING btree (next_walk_at)
CREATE UNIQUE INDEX provider_walks_pkey ON public.provider_walks USING btree (tenant_id, environment, tool_name)
CREATE UNIQUE INDEX sessions_pkey ON public.sessions USING btree (token_hash)
CREATE UNIQUE INDEX tool_contracts_pkey ON public.tool_contracts USING btree (name, version)
CREATE UNIQUE INDEX tool_operation_events_pkey ON public.tool_operation_events USING btree (tenant_id, operation_key, event_id)
CREATE INDEX tool_operations_adopted ON public.tool_operations USING btree (tool_name) WHERE adopted
CREATE INDEX tool_operations_business ON public.tool_operations USING btree (tenant_id, environment, "left"(business_reference, 200)) WHERE (business_reference IS NOT NULL)
CREATE INDEX tool_operations_cases ON public.tool_operations USING btree (tenant_id, environment, COALESCE(response_due_at, case_at), operation_key) WHERE (case_at IS NOT NULL)
CREATE INDEX tool_operations_downstream_key ON public.tool_operations USING btree (tenant_id, downstream_key) WHERE (downstream_key <> operation_key)
CREATE INDEX tool_operations_fingerprint ON public.tool_operations USING btree (request_fingerprint, tenant_id, environment)
CREATE INDEX tool_operations_leases ON public.tool_operations USING btree (lease_until) WHERE (lease_until IS NOT NULL)
CREATE UNIQUE INDEX tool_operations_one_successor ON public.tool_operations USING btree (tenant_id, supersedes_key) WHERE (supersedes_key IS NOT NULL)
CREATE UNIQUE INDEX tool_operations_pkey ON public.tool_operations USING btree (tenant_id, operation_key)
CREATE INDEX tool_operations_recovering ON public.tool_operations USING btree (next_attempt_at) WHERE ((pending_reason = ANY (ARRAY['recovering'::text, 'accepted'::text])) OR ((status = 'unknown'::text) AND (evidence = 'found'::text)) OR ((pending_reason = 'ready'::text) AND (doubt_attempt IS NOT NULL)))
CREATE INDEX tool_operations_reference ON public.tool_operations USING btree (tenant_id, environment, "left"(effect_reference, 200)) WHERE (effect_reference IS NOT NULL)
CREATE INDEX tool_operations_resendable ON public.tool_operations USING btree (next_attempt_at) WHERE ((pending_reason = 'ready'::text) AND (request_sealed IS NOT NULL))
CREATE INDEX tool_operations_retention ON public.tool_operations USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (tombstoned_at IS NULL) AND (contradicted_at IS NULL))
CREATE INDEX tool_operations_trace ON public.tool_operations USING btree (tenant_id, environment, trace_id) WHERE (trace_id IS NOT NULL)
CREATE INDEX tool_operations_unsent ON public.tool_operations USING btree (created_at) WHERE ((pending_reason = ANY (ARRAY['ready'::text, 'queued'::text, 'awaiting_approval'::text])) AND (doubt_attempt IS NULL))
CREATE INDEX tool_operations_updated ON public.tool_operations USING btree (tenant_id, environment, updated_at) WHERE (version > 0)
CREATE UNIQUE INDEX users_pkey ON public.users USING btree (user_id)

-- policies
public.approvals auditor permissive for select to replay_auditor using (true) with check ()
public.approvals console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.approvals definer permissive for all to replay_definer using (true) with check (true)
public.approvals executor permissive for all to replay_executor using (true) with check (true)
public.audit_entries auditor permissive for select to replay_auditor using (true) with check ()
public.audit_entries console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.audit_entries definer permissive for all to replay_definer using (true) with check (true)
public.audit_heads auditor permissive for select to replay_auditor using (true) with check ()
public.audit_heads console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.audit_heads definer permissive for all to replay_definer using (true) with check (true)
public.connector_health auditor permissive for select to replay_auditor using (true) with check ()
public.connector_health console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.connector_health definer permissive for all to replay_definer using (true) with check (true)
public.connector_health executor permissive for all to replay_executor using (true) with check (true)
public.decisions auditor permissive for select to replay_auditor using (true) with check ()
public.decisions console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.decisions definer permissive for all to replay_definer using (true) with check (true)
public.grants definer permissive for all to replay_definer using (true) with check (true)
public.identity_grants definer permissive for all to replay_definer using (true) with check (true)
public.lookup_requests auditor permissive for select to replay_auditor using (true) with check ()
public.lookup_requests console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.lookup_requests definer permissive for all to replay_definer using (true) with check (true)
public.lookup_requests executor permissive for all to replay_executor using (true) with check (true)
public.lookups auditor permissive for select to replay_auditor using (true) with check ()
public.lookups console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.lookups definer permissive for all to replay_definer using (true) with check (true)
public.lookups executor permissive for all to replay_executor using (true) with check (true)
public.provider_effects auditor permissive for select to replay_auditor using (true) with check ()
public.provider_effects console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.provider_effects definer permissive for all to replay_definer using (true) with check (true)
public.provider_effects executor permissive for all to replay_executor using (true) with check (true)
public.provider_findings auditor permissive for select to replay_auditor using (true) with check ()
public.provider_findings console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.provider_findings definer permissive for all to replay_definer using (true) with check (true)
public.provider_findings executor permissive for all to replay_executor using (true) with check (true)
public.provider_walks auditor permissive for select to replay_auditor using (true) with check ()
public.provider_walks console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.provider_walks definer permissive for all to replay_definer using (true) with check (true)
public.provider_walks executor permissive for all to replay_executor using (true) with check (true)
public.tool_operation_events auditor permissive for select to replay_auditor using (true) with check ()
public.tool_operation_events console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.tool_operation_events definer permissive for all to replay_definer using (true) with check (true)
public.tool_operation_events executor permissive for all to replay_executor using (true) with check (true)
public.tool_operations auditor permissive for select to replay_auditor using (true) with check ()
public.tool_operations console permissive for select to replay_console using ((((tenant_id || ''::text) || environment) = ANY (( SELECT app.scopes() AS scopes)::text[]))) with check ()
public.tool_operations definer permissive for all to replay_definer using (true) with check (true)
public.tool_operations executor permissive for all to replay_executor using (true) with check (true)
public.tool_operations foreign_writer permissive for all to replay_foreign_writer using (true) with check (adopted)

-- triggers
CREATE TRIGGER foreign_write BEFORE INSERT OR UPDATE ON public.tool_operations FOR EACH ROW WHEN (((CURRENT_USER <> ALL (ARRAY['replay_owner'::name, 'replay_definer'::name, 'replay_executor'::name])) AND app.is_foreign_writer(CURRENT_USER))) EXECUTE FUNCTION app.before_foreign_write()
CREATE TRIGGER foreign_written AFTER INSERT OR UPDATE ON public.tool_operations FOR EACH ROW WHEN (((CURRENT_USER <> ALL (ARRAY['replay_owner'::name, 'replay_definer'::name, 'replay_executor'::name])) AND app.is_foreign_writer(CURRENT_USER))) EXECUTE FUNCTION app.after_foreign_write()

-- functions
app.abandonable(p_limit integer) returns jsonb sql stable owner replay_owner body 0f9621290250ffd8
app.accept_epoch(p_person text, p_reason text) returns jsonb plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body be50e488671a4d78
app.add_event(o tool_operations, kind text, from_status text, trace jsonb, detail jsonb DEFAULT '{}'::jsonb) returns void plpgsql volatile owner replay_owner body 9e69ed9ebbfc6129
app.add_events(p_rows jsonb) returns void plpgsql volatile owner replay_owner set enable_seqscan=off body 70705b9f4ef130df
app.after_foreign_write() returns trigger plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body a3d8a0771cf36156
app.allowed(event text, f app.facts) returns boolean sql immutable owner replay_owner body c52dda91739314b7
app.append_audit(p_tenant text, p_environment text, p_actor text, p_action text, p_key text, p_detail jsonb) returns bigint plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 956eedf6766b5614
app.approval_fact(o tool_operations, c tool_contracts, at timestamp with time zone) returns text sql stable owner replay_owner body a096ee051b249e13
app.approve_proposal(p_user uuid, p_tenant text, p_environment text, p_key text, p_decision uuid, p_version bigint, p_reason text) returns jsonb plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 0c672a8d19434755
app.ask_approval(o tool_operations, p_actor text) returns void sql volatile owner replay_owner body a29a59fe0da58379
app.ask_lookup(p_user uuid, p_tenant text, p_environment text, p_key text, p_request uuid) returns jsonb plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 201e9bbd8641aa1b
app.before_foreign_write() returns trigger plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 534d0e60766306f8
app.carry_out(o tool_operations, d decisions, p_approver uuid, p_approval_reason text, at timestamp with time zone) returns decisions plpgsql volatile owner replay_owner body 9b520817a5d8be07
app.case_at(o tool_operations, c tool_contracts, at timestamp with time zone) returns timestamp with time zone sql immutable owner replay_owner body 9689dabcdd1b61d7
app.change_of(o tool_operations) returns jsonb plpgsql stable owner replay_owner body bbc00f05bb1a55cd
app.claim(p_rows jsonb) returns jsonb plpgsql volatile owner replay_owner body b43d94b92a3010a9
app.claim_after_fail_over(p_rows jsonb) returns jsonb plpgsql volatile owner replay_owner set enable_seqscan=off body 5851931c7d4106da
app.claim_in_epoch(p_rows jsonb) returns jsonb plpgsql volatile owner replay_owner set enable_seqscan=off body 9fab8ac5a4f9143a
app.claim_many(p_rows jsonb) returns json plpgsql volatile owner replay_owner set enable_nestloop=off enable_seqscan=off body 53551855a3b4feb3
app.close_session(p_hash bytea) returns void sql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 407a62eb38837d69
app.content_digest(act text, p_user uuid, environment text, key text, version bigint, verdict text, reason text, reference text, evidence uuid[]) returns bytea sql stable owner replay_owner body aa9ab6a769c8066f
app.contract_of(o tool_operations) returns tool_contracts sql stable owner replay_owner body 51e426d248df5a9a
app.create_successor(o tool_operations, p_decision uuid, p_actor text, at timestamp with time zone) returns text plpgsql volatile owner replay_owner body 5bea7cf7b57ab71a
app.decide(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[]) returns jsonb sql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body d5aaa7b65760a8db
app.decide_approval(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_answer text, p_reason text) returns jsonb plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body e5aa6039432e76e3
app.deny(p_user uuid, p_tenant text, p_environment text, p_action text, p_detail jsonb) returns bigint sql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 4de6c4dedf6a162e
app.duty_ran(p_duty text, p_worker text, p_ms double precision, p_report jsonb, p_failed text) returns void sql volatile owner replay_owner body 3ada18ce325ac2db
app.end_successors(o tool_operations, p_decision uuid, p_actor text, at timestamp with time zone) returns jsonb plpgsql volatile owner replay_owner body d6c90b2ff9b7abb3
app.end_walk(p_run jsonb, p_failed text, p_again_seconds integer) returns jsonb plpgsql volatile owner replay_owner body 6cf113b13ee6af42
app.epoch_accepted() returns boolean sql stable owner replay_owner body 0ac84956761c0439
app.epoch_fact(o tool_operations) returns text sql stable owner replay_owner body 9e25c218887aea5a
app.epoch_status() returns jsonb plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body ecc8aebadfa6a2a0
app.evidence_fact(o tool_operations, c tool_contracts) returns text sql stable owner replay_owner body 9ca361e399232eb2
app.expired_leases(p_limit integer) returns jsonb sql stable owner replay_owner body 4504a62ab448c564
app.facts_at(o tool_operations, c tool_contracts, at timestamp with time zone) returns app.facts plpgsql stable owner replay_owner body 92ec7b0e85abbfca
app.facts_of(o tool_operations) returns app.facts sql stable owner replay_owner body 5ded8e73bce63e40
app.find_identity(p_issuer text, p_subject text) returns jsonb sql stable security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 611a449aeb581c93
app.find_session(p_hash bytea) returns jsonb sql stable security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 6abfa9c0d741ae96
app.find_user(p_user uuid) returns jsonb sql stable security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 892b437098a623fe
app.give_verdict(p_act text, p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[]) returns jsonb plpgsql volatile owner replay_owner body 6854a0d892214849
app.grant_identity(p_tenant text, p_environment text, p_issuer text, p_subject text, p_role text) returns void plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body fccab461d30ad71b
app.has_second_effect(o tool_operations) returns boolean sql stable owner replay_owner body 693a5d2c9812a3c8
app.has_sibling(c tool_contracts, item jsonb) returns boolean sql stable owner replay_owner body 2a5ac14289933b42
app.heard(o tool_operations, l lookups, at timestamp with time zone) returns connector_health plpgsql volatile owner replay_owner body 29a5f720ccc77ede
app.heartbeat(p_rows jsonb) returns jsonb plpgsql volatile owner replay_owner body d696b8c3c403f431
app.is_conclusively_absent(f app.facts) returns boolean sql immutable owner replay_owner body 2d97773fd2b0bf57
app.is_doubtless(f app.facts) returns boolean sql immutable owner replay_owner body 6aa0e3e614bba439
app.is_exhausted(f app.facts) returns boolean sql immutable owner replay_owner body 2887123d053c0d25
app.is_foreign_writer(role name) returns boolean sql stable owner replay_owner body 41ba9e3df96ab16c
app.is_found(f app.facts) returns boolean sql immutable owner replay_owner body 6591708690deff76
app.is_open(f app.facts) returns boolean sql immutable owner replay_owner body c75dacb8ed5255d0
app.is_outage(h connector_health, c tool_contracts, at timestamp with time zone) returns boolean sql immutable owner replay_owner body 2f2b6a6c6f15d630
app.is_plainly_applied(o tool_operations, c tool_contracts, at timestamp with time zone) returns boolean sql stable owner replay_owner body 6370fbfc24d71630
app.is_recovering(f app.facts) returns boolean sql immutable owner replay_owner body 5db4b21e2b419e04
app.is_revocable(f app.facts) returns boolean sql immutable owner replay_owner body e9658b2e9b8a9031
app.is_terminal(f app.facts) returns boolean sql immutable owner replay_owner body a1295e852e2367e5
app.is_unknown(f app.facts) returns boolean sql immutable owner replay_owner body 5e39a70476505858
app.job_open(o tool_operations) returns boolean sql immutable owner replay_owner body 668103b58749ac7c
app.judge(o tool_operations, p_verdict text, p_reference text, p_second_person boolean) returns text plpgsql volatile owner replay_owner body dc7c5a7aa45370d8
app.judge_walk(w provider_walks) returns provider_walks plpgsql volatile owner replay_owner body 65bd8e6061455120
app.judged_effects(p_tenant text, p_environment text, p_tool text) returns TABLE(subject bytea, kind text, operation_key text, reference text, downstream_key text, committed_at timestamp with time zone, explained boolean) sql stable owner replay_owner body 736d43faae8b191b
app.key_part(part text) returns text sql immutable owner replay_owner body e115f978a7af6eba
app.last_claim_at() returns timestamp with time zone sql stable security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 22840659e9ce2a2c
app.likeness(o tool_operations, c tool_contracts, at timestamp with time zone) returns text sql stable owner replay_owner body 297e00138765aa8e
app.may_attempt(f app.facts) returns boolean sql immutable owner replay_owner body 954c3705d67a2b63
app.missing_receipts(w provider_walks) returns TABLE(operation_key text, reference text) sql stable owner replay_owner body 76ddf2e365f5787b
app.names_another_receipt(o tool_operations) returns boolean sql stable owner replay_owner body 73c0882c710d3746
app.needs_second_person(verdict text, f app.facts, receipt_taken boolean) returns boolean sql immutable owner replay_owner body 24881dadd5725c15
app.next_state(event text, f app.facts) returns text sql immutable owner replay_owner body bbd381552650a45a
app.note_epoch() returns boolean plpgsql volatile owner replay_owner body c7daff1f6578438e
app.open_session(p_hash bytea, p_user uuid, p_seconds integer) returns timestamp with time zone sql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 4358703d9a33c488
app.own_record(o tool_operations, c tool_contracts) returns json sql stable owner replay_owner body 28e569b81682064b
app.past_retention(p_limit integer) returns jsonb sql stable owner replay_owner body 763c9a5cae8e3442
app.postpone(p_rows jsonb) returns integer plpgsql volatile owner replay_owner body 9ae3d1f620f2e4ac
app.propose(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[]) returns jsonb sql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 8e6435e06107eddd
app.read_operations(p_rows jsonb) returns jsonb plpgsql stable owner replay_owner set enable_seqscan=off body 3d0249552ed5e2ab
app.record(o tool_operations) returns jsonb plpgsql stable owner replay_owner body 085c970489db56fe
app.record_evidence(p_rows jsonb) returns jsonb plpgsql volatile owner replay_owner body 3ef4693658c900b1
app.records_of(p_examples jsonb) returns jsonb plpgsql stable owner replay_owner body e413f60bb4f88a07
app.register_contract(p_contract jsonb) returns text plpgsql volatile owner replay_owner body c8536e52c4dd3d85
app.resend_open(f app.facts) returns boolean sql immutable owner replay_owner body 3e2ad85afd8566e3
app.resendable(p_tools jsonb, p_limit integer) returns jsonb sql stable owner replay_owner body 897ffa6034f3ba28
app.roles_of(p_user uuid, p_tenant text, p_environment text) returns text[] sql stable security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 6e850b7575838cf0
app.scopes() returns text[] plpgsql stable owner replay_owner set search_path=pg_catalog body ae2f4f991186995a
app.see_epoch() returns app.epochs plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 8f9a7cc6ccf12e16
app.server_epoch() returns text sql stable owner replay_owner body 4285b1f9814ae329
app.server_timeline() returns text sql stable owner replay_owner body 326c6ae374957930
app.settles_absent(f app.facts) returns boolean sql immutable owner replay_owner body 9945c5b56a4c0665
app.sibling_lock(tenant text, environment text, tool text, fingerprint text) returns bigint sql immutable owner replay_owner body e5d7077c3ce11d4f
app.sign_in(p_issuer text, p_subject text, p_name text, p_email text) returns jsonb plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body 9277cc88519a8bcf
app.store_walk_page(p_run jsonb, p_effects jsonb, p_next text, p_seconds integer) returns boolean plpgsql volatile owner replay_owner body a099375667a16793
app.successor_key(p_key text) returns text sql immutable owner replay_owner body 87ee72a69ae012d8
app.take_lookup_requests(p_tools jsonb, p_limit integer, p_seconds integer) returns jsonb plpgsql volatile owner replay_owner body 8c6abd33bd6195e7
app.take_reconcilable(p_tools jsonb, p_limit integer, p_seconds integer) returns jsonb plpgsql volatile owner replay_owner body cfb16a2859221145
app.take_walks(p_worker text, p_tools jsonb, p_limit integer, p_seconds integer) returns jsonb plpgsql volatile owner replay_owner body e6f65fab8f8dc11f
app.text_digest(given text) returns bytea sql stable owner replay_owner body fb9aabdcbc1d5746
app.transition(p_event text, p_rows jsonb) returns jsonb plpgsql volatile owner replay_owner set enable_seqscan=off body a4b4ebca743c163c
app.transition_many(p_event text, p_rows jsonb) returns json plpgsql volatile owner replay_owner set enable_hashjoin=off enable_mergejoin=off enable_seqscan=off body f86d7c30e15b56ff
app.verdict_refusal(verdict text, f app.facts, receipt text, receipt_taken boolean, second_person boolean) returns text sql immutable owner replay_owner body da11dee5a3ffae07
app.void_open_proposal(o tool_operations, p_except uuid, p_because text, p_by uuid, p_reason text, at timestamp with time zone) returns uuid sql volatile owner replay_owner body 8bb4f198ba2a21dc
app.void_proposal(p_user uuid, p_tenant text, p_environment text, p_key text, p_decision uuid, p_reason text) returns jsonb plpgsql volatile security definer owner replay_definer set search_path=pg_catalog, public, app, pg_temp body ef424db7f81438a3
app.waiting_for(o tool_operations, h connector_health, next_at timestamp with time zone, at timestamp with time zone) returns timestamp with time zone sql immutable owner replay_owner body 80567d062e276eb6
app.walk_of(p_run jsonb) returns SETOF provider_walks sql volatile owner replay_owner body 67302ec27b6c711c
app.walk_overlap(p_tool text) returns interval sql stable owner replay_owner body b1596de6300dafec

-- grants
app.abandonable(p_limit integer) to replay_executor: execute
app.abandonable(p_limit integer) to replay_owner: execute
app.accept_epoch(p_person text, p_reason text) to replay_definer: execute
app.add_event(o tool_operations, kind text, from_status text, trace jsonb, detail jsonb) to replay_definer: execute
app.add_event(o tool_operations, kind text, from_status text, trace jsonb, detail jsonb) to replay_executor: execute
app.add_event(o tool_operations, kind text, from_status text, trace jsonb, detail jsonb) to replay_owner: execute
app.add_events(p_rows jsonb) to replay_executor: execute
app.add_events(p_rows jsonb) to replay_owner: execute
app.after_foreign_write() to replay_definer: execute
app.allowed(event text, f app.facts) to replay_auditor: execute
app.allowed(event text, f app.facts) to replay_console: execute
app.allowed(event text, f app.facts) to replay_definer: execute
app.allowed(event text, f app.facts) to replay_executor: execute
app.allowed(event text, f app.facts) to replay_owner: execute
app.append_audit(p_tenant text, p_environment text, p_actor text, p_action text, p_key text, p_detail jsonb) to replay_definer: execute
app.approval_fact(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_auditor: execute
app.approval_fact(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_console: execute
app.approval_fact(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_definer: execute
app.approval_fact(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_executor: execute
app.approval_fact(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_owner: execute
app.approve_proposal(p_user uuid, p_tenant text, p_environment text, p_key text, p_decision uuid, p_version bigint, p_reason text) to replay_console: execute
app.approve_proposal(p_user uuid, p_tenant text, p_environment text, p_key text, p_decision uuid, p_version bigint, p_reason text) to replay_definer: execute
app.ask_approval(o tool_operations, p_actor text) to replay_executor: execute
app.ask_approval(o tool_operations, p_actor text) to replay_owner: execute
app.ask_lookup(p_user uuid, p_tenant text, p_environment text, p_key text, p_request uuid) to replay_console: execute
app.ask_lookup(p_user uuid, p_tenant text, p_environment text, p_key text, p_request uuid) to replay_definer: execute
app.before_foreign_write() to replay_definer: execute
app.carry_out(o tool_operations, d decisions, p_approver uuid, p_approval_reason text, at timestamp with time zone) to replay_definer: execute
app.carry_out(o tool_operations, d decisions, p_approver uuid, p_approval_reason text, at timestamp with time zone) to replay_owner: execute
app.case_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_auditor: execute
app.case_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_console: execute
app.case_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_definer: execute
app.case_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_executor: execute
app.case_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_owner: execute
app.change_of(o tool_operations) to replay_definer: execute
app.change_of(o tool_operations) to replay_owner: execute
app.claim(p_rows jsonb) to replay_executor: execute
app.claim(p_rows jsonb) to replay_owner: execute
app.claim_after_fail_over(p_rows jsonb) to replay_executor: execute
app.claim_after_fail_over(p_rows jsonb) to replay_owner: execute
app.claim_in_epoch(p_rows jsonb) to replay_executor: execute
app.claim_in_epoch(p_rows jsonb) to replay_owner: execute
app.claim_many(p_rows jsonb) to replay_executor: execute
app.claim_many(p_rows jsonb) to replay_owner: execute
app.close_session(p_hash bytea) to replay_console: execute
app.close_session(p_hash bytea) to replay_definer: execute
app.content_digest(act text, p_user uuid, environment text, key text, version bigint, verdict text, reason text, reference text, evidence uuid[]) to replay_definer: execute
app.content_digest(act text, p_user uuid, environment text, key text, version bigint, verdict text, reason text, reference text, evidence uuid[]) to replay_owner: execute
app.contract_of(o tool_operations) to replay_auditor: execute
app.contract_of(o tool_operations) to replay_console: execute
app.contract_of(o tool_operations) to replay_definer: execute
app.contract_of(o tool_operations) to replay_executor: execute
app.contract_of(o tool_operations) to replay_owner: execute
app.create_successor(o tool_operations, p_decision uuid, p_actor text, at timestamp with time zone) to replay_definer: execute
app.create_successor(o tool_operations, p_decision uuid, p_actor text, at timestamp with time zone) to replay_owner: execute
app.decide(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[]) to replay_console: execute
app.decide(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[]) to replay_definer: execute
app.decide_approval(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_answer text, p_reason text) to replay_console: execute
app.decide_approval(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_answer text, p_reason text) to replay_definer: execute
app.deny(p_user uuid, p_tenant text, p_environment text, p_action text, p_detail jsonb) to replay_console: execute
app.deny(p_user uuid, p_tenant text, p_environment text, p_action text, p_detail jsonb) to replay_definer: execute
app.duty_ran(p_duty text, p_worker text, p_ms double precision, p_report jsonb, p_failed text) to replay_executor: execute
app.duty_ran(p_duty text, p_worker text, p_ms double precision, p_report jsonb, p_failed text) to replay_owner: execute
app.end_successors(o tool_operations, p_decision uuid, p_actor text, at timestamp with time zone) to replay_definer: execute
app.end_successors(o tool_operations, p_decision uuid, p_actor text, at timestamp with time zone) to replay_owner: execute
app.end_walk(p_run jsonb, p_failed text, p_again_seconds integer) to replay_executor: execute
app.end_walk(p_run jsonb, p_failed text, p_again_seconds integer) to replay_owner: execute
app.epoch_accepted() to replay_auditor: execute
app.epoch_accepted() to replay_console: execute
app.epoch_accepted() to replay_definer: execute
app.epoch_accepted() to replay_executor: execute
app.epoch_accepted() to replay_owner: execute
app.epoch_fact(o tool_operations) to replay_auditor: execute
app.epoch_fact(o tool_operations) to replay_console: execute
app.epoch_fact(o tool_operations) to replay_definer: execute
app.epoch_fact(o tool_operations) to replay_executor: execute
app.epoch_fact(o tool_operations) to replay_owner: execute
app.epoch_status() to replay_definer: execute
app.epochs to replay_auditor: select
app.epochs to replay_console: select
app.epochs to replay_definer: insert, select, update
app.epochs to replay_executor: select
app.epochs to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
app.evidence_fact(o tool_operations, c tool_contracts) to replay_auditor: execute
app.evidence_fact(o tool_operations, c tool_contracts) to replay_console: execute
app.evidence_fact(o tool_operations, c tool_contracts) to replay_definer: execute
app.evidence_fact(o tool_operations, c tool_contracts) to replay_executor: execute
app.evidence_fact(o tool_operations, c tool_contracts) to replay_owner: execute
app.expired_leases(p_limit integer) to replay_executor: execute
app.expired_leases(p_limit integer) to replay_owner: execute
app.facts_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_auditor: execute
app.facts_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_console: execute
app.facts_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_definer: execute
app.facts_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_executor: execute
app.facts_at(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_owner: execute
app.facts_of(o tool_operations) to replay_auditor: execute
app.facts_of(o tool_operations) to replay_console: execute
app.facts_of(o tool_operations) to replay_definer: execute
app.facts_of(o tool_operations) to replay_executor: execute
app.facts_of(o tool_operations) to replay_owner: execute
app.find_identity(p_issuer text, p_subject text) to replay_console: execute
app.find_identity(p_issuer text, p_subject text) to replay_definer: execute
app.find_session(p_hash bytea) to replay_console: execute
app.find_session(p_hash bytea) to replay_definer: execute
app.find_user(p_user uuid) to replay_console: execute
app.find_user(p_user uuid) to replay_definer: execute
app.give_verdict(p_act text, p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[]) to replay_definer: execute
app.give_verdict(p_act text, p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[]) to replay_owner: execute
app.grant_identity(p_tenant text, p_environment text, p_issuer text, p_subject text, p_role text) to replay_definer: execute
app.has_second_effect(o tool_operations) to replay_executor: execute
app.has_second_effect(o tool_operations) to replay_owner: execute
app.has_sibling(c tool_contracts, item jsonb) to replay_executor: execute
app.has_sibling(c tool_contracts, item jsonb) to replay_owner: execute
app.heard(o tool_operations, l lookups, at timestamp with time zone) to replay_executor: execute
app.heard(o tool_operations, l lookups, at timestamp with time zone) to replay_owner: execute
app.heartbeat(p_rows jsonb) to replay_executor: execute
app.heartbeat(p_rows jsonb) to replay_owner: execute
app.is_conclusively_absent(f app.facts) to replay_auditor: execute
app.is_conclusively_absent(f app.facts) to replay_console: execute
app.is_conclusively_absent(f app.facts) to replay_definer: execute
app.is_conclusively_absent(f app.facts) to replay_executor: execute
app.is_conclusively_absent(f app.facts) to replay_owner: execute
app.is_doubtless(f app.facts) to replay_auditor: execute
app.is_doubtless(f app.facts) to replay_console: execute
app.is_doubtless(f app.facts) to replay_definer: execute
app.is_doubtless(f app.facts) to replay_executor: execute
app.is_doubtless(f app.facts) to replay_owner: execute
app.is_exhausted(f app.facts) to replay_auditor: execute
app.is_exhausted(f app.facts) to replay_console: execute
app.is_exhausted(f app.facts) to replay_definer: execute
app.is_exhausted(f app.facts) to replay_executor: execute
app.is_exhausted(f app.facts) to replay_owner: execute
app.is_foreign_writer(role name) to replay_definer: execute
app.is_foreign_writer(role name) to replay_executor: execute
app.is_foreign_writer(role name) to replay_foreign_writer: execute
app.is_foreign_writer(role name) to replay_owner: execute
app.is_found(f app.facts) to replay_auditor: execute
app.is_found(f app.facts) to replay_console: execute
app.is_found(f app.facts) to replay_definer: execute
app.is_found(f app.facts) to replay_executor: execute
app.is_found(f app.facts) to replay_owner: execute
app.is_open(f app.facts) to replay_auditor: execute
app.is_open(f app.facts) to replay_console: execute
app.is_open(f app.facts) to replay_definer: execute
app.is_open(f app.facts) to replay_executor: execute
app.is_open(f app.facts) to replay_owner: execute
app.is_outage(h connector_health, c tool_contracts, at timestamp with time zone) to replay_auditor: execute
app.is_outage(h connector_health, c tool_contracts, at timestamp with time zone) to replay_console: execute
app.is_outage(h connector_health, c tool_contracts, at timestamp with time zone) to replay_definer: execute
app.is_outage(h connector_health, c tool_contracts, at timestamp with time zone) to replay_executor: execute
app.is_outage(h connector_health, c tool_contracts, at timestamp with time zone) to replay_owner: execute
app.is_plainly_applied(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_executor: execute
app.is_plainly_applied(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_owner: execute
app.is_recovering(f app.facts) to replay_auditor: execute
app.is_recovering(f app.facts) to replay_console: execute
app.is_recovering(f app.facts) to replay_definer: execute
app.is_recovering(f app.facts) to replay_executor: execute
app.is_recovering(f app.facts) to replay_owner: execute
app.is_revocable(f app.facts) to replay_auditor: execute
app.is_revocable(f app.facts) to replay_console: execute
app.is_revocable(f app.facts) to replay_definer: execute
app.is_revocable(f app.facts) to replay_executor: execute
app.is_revocable(f app.facts) to replay_owner: execute
app.is_terminal(f app.facts) to replay_auditor: execute
app.is_terminal(f app.facts) to replay_console: execute
app.is_terminal(f app.facts) to replay_definer: execute
app.is_terminal(f app.facts) to replay_executor: execute
app.is_terminal(f app.facts) to replay_owner: execute
app.is_unknown(f app.facts) to replay_auditor: execute
app.is_unknown(f app.facts) to replay_console: execute
app.is_unknown(f app.facts) to replay_definer: execute
app.is_unknown(f app.facts) to replay_executor: execute
app.is_unknown(f app.facts) to replay_owner: execute
app.job_open(o tool_operations) to replay_auditor: execute
app.job_open(o tool_operations) to replay_console: execute
app.job_open(o tool_operations) to replay_definer: execute
app.job_open(o tool_operations) to replay_executor: execute
app.job_open(o tool_operations) to replay_owner: execute
app.judge(o tool_operations, p_verdict text, p_reference text, p_second_person boolean) to replay_definer: execute
app.judge(o tool_operations, p_verdict text, p_reference text, p_second_person boolean) to replay_owner: execute
app.judge_walk(w provider_walks) to replay_executor: execute
app.judge_walk(w provider_walks) to replay_owner: execute
app.judged_effects(p_tenant text, p_environment text, p_tool text) to replay_executor: execute
app.judged_effects(p_tenant text, p_environment text, p_tool text) to replay_owner: execute
app.key_part(part text) to replay_auditor: execute
app.key_part(part text) to replay_console: execute
app.key_part(part text) to replay_definer: execute
app.key_part(part text) to replay_executor: execute
app.key_part(part text) to replay_foreign_writer: execute
app.key_part(part text) to replay_owner: execute
app.last_claim_at() to replay_definer: execute
app.likeness(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_executor: execute
app.likeness(o tool_operations, c tool_contracts, at timestamp with time zone) to replay_owner: execute
app.may_attempt(f app.facts) to replay_auditor: execute
app.may_attempt(f app.facts) to replay_console: execute
app.may_attempt(f app.facts) to replay_definer: execute
app.may_attempt(f app.facts) to replay_executor: execute
app.may_attempt(f app.facts) to replay_owner: execute
app.missing_receipts(w provider_walks) to replay_executor: execute
app.missing_receipts(w provider_walks) to replay_owner: execute
app.names_another_receipt(o tool_operations) to replay_auditor: execute
app.names_another_receipt(o tool_operations) to replay_console: execute
app.names_another_receipt(o tool_operations) to replay_definer: execute
app.names_another_receipt(o tool_operations) to replay_executor: execute
app.names_another_receipt(o tool_operations) to replay_owner: execute
app.needs_second_person(verdict text, f app.facts, receipt_taken boolean) to replay_auditor: execute
app.needs_second_person(verdict text, f app.facts, receipt_taken boolean) to replay_console: execute
app.needs_second_person(verdict text, f app.facts, receipt_taken boolean) to replay_definer: execute
app.needs_second_person(verdict text, f app.facts, receipt_taken boolean) to replay_executor: execute
app.needs_second_person(verdict text, f app.facts, receipt_taken boolean) to replay_owner: execute
app.next_state(event text, f app.facts) to replay_auditor: execute
app.next_state(event text, f app.facts) to replay_console: execute
app.next_state(event text, f app.facts) to replay_definer: execute
app.next_state(event text, f app.facts) to replay_executor: execute
app.next_state(event text, f app.facts) to replay_owner: execute
app.note_epoch() to replay_executor: execute
app.note_epoch() to replay_owner: execute
app.open_session(p_hash bytea, p_user uuid, p_seconds integer) to replay_console: execute
app.open_session(p_hash bytea, p_user uuid, p_seconds integer) to replay_definer: execute
app.own_record(o tool_operations, c tool_contracts) to replay_executor: execute
app.own_record(o tool_operations, c tool_contracts) to replay_owner: execute
app.past_retention(p_limit integer) to replay_executor: execute
app.past_retention(p_limit integer) to replay_owner: execute
app.postpone(p_rows jsonb) to replay_executor: execute
app.postpone(p_rows jsonb) to replay_owner: execute
app.propose(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[]) to replay_console: execute
app.propose(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[]) to replay_definer: execute
app.read_operations(p_rows jsonb) to replay_executor: execute
app.read_operations(p_rows jsonb) to replay_owner: execute
app.record(o tool_operations) to replay_executor: execute
app.record(o tool_operations) to replay_owner: execute
app.record_evidence(p_rows jsonb) to replay_executor: execute
app.record_evidence(p_rows jsonb) to replay_owner: execute
app.records_of(p_examples jsonb) to replay_executor: execute
app.records_of(p_examples jsonb) to replay_owner: execute
app.register_contract(p_contract jsonb) to replay_executor: execute
app.register_contract(p_contract jsonb) to replay_owner: execute
app.resend_open(f app.facts) to replay_auditor: execute
app.resend_open(f app.facts) to replay_console: execute
app.resend_open(f app.facts) to replay_definer: execute
app.resend_open(f app.facts) to replay_executor: execute
app.resend_open(f app.facts) to replay_owner: execute
app.resendable(p_tools jsonb, p_limit integer) to replay_executor: execute
app.resendable(p_tools jsonb, p_limit integer) to replay_owner: execute
app.roles_of(p_user uuid, p_tenant text, p_environment text) to replay_definer: execute
app.schema_migrations to replay_auditor: select
app.schema_migrations to replay_console: select
app.schema_migrations to replay_executor: select
app.schema_migrations to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
app.scopes() to replay_auditor: execute
app.scopes() to replay_console: execute
app.scopes() to replay_definer: execute
app.scopes() to replay_executor: execute
app.scopes() to replay_owner: execute
app.see_epoch() to replay_definer: execute
app.see_epoch() to replay_executor: execute
app.server_epoch() to replay_auditor: execute
app.server_epoch() to replay_console: execute
app.server_epoch() to replay_definer: execute
app.server_epoch() to replay_executor: execute
app.server_epoch() to replay_owner: execute
app.server_timeline() to replay_auditor: execute
app.server_timeline() to replay_console: execute
app.server_timeline() to replay_definer: execute
app.server_timeline() to replay_executor: execute
app.server_timeline() to replay_owner: execute
app.settles_absent(f app.facts) to replay_auditor: execute
app.settles_absent(f app.facts) to replay_console: execute
app.settles_absent(f app.facts) to replay_definer: execute
app.settles_absent(f app.facts) to replay_executor: execute
app.settles_absent(f app.facts) to replay_owner: execute
app.sibling_lock(tenant text, environment text, tool text, fingerprint text) to replay_executor: execute
app.sibling_lock(tenant text, environment text, tool text, fingerprint text) to replay_owner: execute
app.sign_in(p_issuer text, p_subject text, p_name text, p_email text) to replay_console: execute
app.sign_in(p_issuer text, p_subject text, p_name text, p_email text) to replay_definer: execute
app.store_walk_page(p_run jsonb, p_effects jsonb, p_next text, p_seconds integer) to replay_executor: execute
app.store_walk_page(p_run jsonb, p_effects jsonb, p_next text, p_seconds integer) to replay_owner: execute
app.successor_key(p_key text) to replay_definer: execute
app.successor_key(p_key text) to replay_owner: execute
app.take_lookup_requests(p_tools jsonb, p_limit integer, p_seconds integer) to replay_executor: execute
app.take_lookup_requests(p_tools jsonb, p_limit integer, p_seconds integer) to replay_owner: execute
app.take_reconcilable(p_tools jsonb, p_limit integer, p_seconds integer) to replay_executor: execute
app.take_reconcilable(p_tools jsonb, p_limit integer, p_seconds integer) to replay_owner: execute
app.take_walks(p_worker text, p_tools jsonb, p_limit integer, p_seconds integer) to replay_executor: execute
app.take_walks(p_worker text, p_tools jsonb, p_limit integer, p_seconds integer) to replay_owner: execute
app.text_digest(given text) to replay_executor: execute
app.text_digest(given text) to replay_owner: execute
app.transition(p_event text, p_rows jsonb) to replay_executor: execute
app.transition(p_event text, p_rows jsonb) to replay_owner: execute
app.transition_many(p_event text, p_rows jsonb) to replay_executor: execute
app.transition_many(p_event text, p_rows jsonb) to replay_owner: execute
app.verdict_refusal(verdict text, f app.facts, receipt text, receipt_taken boolean, second_person boolean) to replay_auditor: execute
app.verdict_refusal(verdict text, f app.facts, receipt text, receipt_taken boolean, second_person boolean) to replay_console: execute
app.verdict_refusal(verdict text, f app.facts, receipt text, receipt_taken boolean, second_person boolean) to replay_definer: execute
app.verdict_refusal(verdict text, f app.facts, receipt text, receipt_taken boolean, second_person boolean) to replay_executor: execute
app.verdict_refusal(verdict text, f app.facts, receipt text, receipt_taken boolean, second_person boolean) to replay_owner: execute
app.void_open_proposal(o tool_operations, p_except uuid, p_because text, p_by uuid, p_reason text, at timestamp with time zone) to replay_definer: execute
app.void_open_proposal(o tool_operations, p_except uuid, p_because text, p_by uuid, p_reason text, at timestamp with time zone) to replay_owner: execute
app.void_proposal(p_user uuid, p_tenant text, p_environment text, p_key text, p_decision uuid, p_reason text) to replay_console: execute
app.void_proposal(p_user uuid, p_tenant text, p_environment text, p_key text, p_decision uuid, p_reason text) to replay_definer: execute
app.waiting_for(o tool_operations, h connector_health, next_at timestamp with time zone, at timestamp with time zone) to replay_executor: execute
app.waiting_for(o tool_operations, h connector_health, next_at timestamp with time zone, at timestamp with time zone) to replay_owner: execute
app.walk_of(p_run jsonb) to replay_executor: execute
app.walk_of(p_run jsonb) to replay_owner: execute
app.walk_overlap(p_tool text) to replay_executor: execute
app.walk_overlap(p_tool text) to replay_owner: execute
public.approvals to replay_auditor: select
public.approvals to replay_console: select
public.approvals to replay_definer: insert, select, update
public.approvals to replay_executor: insert, select, update
public.approvals to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.audit_entries to replay_auditor: select
public.audit_entries to replay_console: select
public.audit_entries to replay_definer: insert, select
public.audit_entries to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.audit_heads to replay_auditor: select
public.audit_heads to replay_console: select
public.audit_heads to replay_definer: insert, select, update
public.audit_heads to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.connector_health to replay_auditor: select
public.connector_health to replay_console: select
public.connector_health to replay_definer: insert, select, update
public.connector_health to replay_executor: insert, select, update
public.connector_health to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.decisions to replay_auditor: select
public.decisions to replay_console: select
public.decisions to replay_definer: insert, select, update
public.decisions to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.duty_runs to replay_auditor: select
public.duty_runs to replay_console: select
public.duty_runs to replay_executor: insert, select, update
public.duty_runs to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.fault_runs to replay_auditor: select
public.fault_runs to replay_console: select
public.fault_runs to replay_executor: insert, select
public.fault_runs to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.grants to replay_definer: insert, select, update
public.grants to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.identities to replay_definer: insert, select, update
public.identities to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.identity_grants to replay_definer: insert, select
public.identity_grants to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.lookup_requests to replay_auditor: select
public.lookup_requests to replay_console: select
public.lookup_requests to replay_definer: insert, select, update
public.lookup_requests to replay_executor: select, update
public.lookup_requests to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.lookups to replay_auditor: select
public.lookups to replay_console: select
public.lookups to replay_definer: insert, select
public.lookups to replay_executor: insert, select
public.lookups to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.lookups.response_json to replay_executor: update
public.lookups.response_sealed to replay_executor: update
public.provider_effects to replay_auditor: select
public.provider_effects to replay_console: select
public.provider_effects to replay_definer: select
public.provider_effects to replay_executor: insert, select, update
public.provider_effects to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.provider_findings to replay_auditor: select
public.provider_findings to replay_console: select
public.provider_findings to replay_definer: select
public.provider_findings to replay_executor: insert, select, update
public.provider_findings to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.provider_walks to replay_auditor: select
public.provider_walks to replay_console: select
public.provider_walks to replay_definer: select
public.provider_walks to replay_executor: insert, select, update
public.provider_walks to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.sessions to replay_definer: delete, insert, select, update
public.sessions to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.tool_contracts to replay_auditor: select
public.tool_contracts to replay_console: select
public.tool_contracts to replay_definer: select
public.tool_contracts to replay_executor: insert, select, update
public.tool_contracts to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.tool_operation_events to replay_auditor: select
public.tool_operation_events to replay_console: select
public.tool_operation_events to replay_definer: insert, select
public.tool_operation_events to replay_executor: insert, select
public.tool_operation_events to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.tool_operation_events_event_id_seq to replay_owner: select, update, usage
public.tool_operations to replay_auditor: select
public.tool_operations to replay_console: select
public.tool_operations to replay_definer: insert, select, update
public.tool_operations to replay_executor: insert, select, update
public.tool_operations to replay_foreign_writer: select
public.tool_operations to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.tool_operations.created_at to replay_foreign_writer: insert, update
public.tool_operations.effect_reference to replay_foreign_writer: insert, update
public.tool_operations.environment to replay_foreign_writer: insert
public.tool_operations.lease_until to replay_foreign_writer: insert, update
public.tool_operations.operation_key to replay_foreign_writer: insert
public.tool_operations.request_fingerprint to replay_foreign_writer: insert, update
public.tool_operations.response_json to replay_foreign_writer: insert, update
public.tool_operations.status to replay_foreign_writer: insert, update
public.tool_operations.tenant_id to replay_foreign_writer: insert
public.tool_operations.tool_name to replay_foreign_writer: insert, update
public.tool_operations.tool_version to replay_foreign_writer: insert, update
public.tool_operations.updated_at to replay_foreign_writer: insert, update
public.users to replay_definer: insert, select, update
public.users to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
public.users.name to replay_auditor: select
public.users.name to replay_console: select
public.users.user_id to replay_auditor: select
public.users.user_id to replay_console: select
schema app to replay_auditor: usage
schema app to replay_console: usage
schema app to replay_definer: create, usage
schema app to replay_executor: usage
schema app to replay_foreign_writer: usage
schema app to replay_owner: create, usage
schema public to public: usage
schema public to replay_auditor: usage
schema public to replay_console: usage
schema public to replay_definer: usage
schema public to replay_executor: usage
schema public to replay_foreign_writer: usage
schema public to replay_owner: create, usage
