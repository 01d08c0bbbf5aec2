-- People. Identity comes from an OpenID Connect issuer; grants live here and are read at each request.

create table public.users (
  user_id uuid primary key default gen_random_uuid(),
  name text not null,
  email text,
  disabled_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

create table public.identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references public.users,
  created_at timestamptz not null default clock_timestamp(),
  primary key (issuer, subject)
);

-- Only the hash of a token is kept. The absolute lifetime is never extended.
create table public.sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references public.users,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

create table public.grants (
  tenant_id text not null,
  environment text not null,
  user_id uuid not null references public.users,
  role text not null check (role in ('viewer', 'operator', 'approver', 'auditor', 'administrator')),
  granted_by text not null,
  granted_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, environment, user_id, role)
);
create index grants_of_user on public.grants (user_id);

-- What a local or newly connected identity is given at its first sign-in, by issuer and subject.
create table public.identity_grants (
  tenant_id text not null,
  environment text not null,
  issuer text not null,
  subject text not null,
  role text not null check (role in ('viewer', 'operator', 'approver', 'auditor', 'administrator')),
  primary key (tenant_id, environment, issuer, subject, role)
);
