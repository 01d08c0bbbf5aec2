-- schemas
schema app owner replay_owner
schema public owner replay_owner

-- relations
table app.schema_migrations owner replay_owner

-- columns
app.schema_migrations.name text not null
app.schema_migrations.sha256 text not null
app.schema_migrations.applied_at timestamp with time zone not null default now()

-- constraints
app.schema_migrations schema_migrations_pkey PRIMARY KEY (name)

-- indexes
CREATE UNIQUE INDEX schema_migrations_pkey ON app.schema_migrations USING btree (name)

-- grants
app.schema_migrations to replay_owner: delete, insert, maintain, references, select, trigger, truncate, update
schema app to replay_owner: create, usage
schema public to public: usage
schema public to replay_owner: create, usage
