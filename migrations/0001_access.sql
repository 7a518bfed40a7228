-- Who may do what: people with a password, and programs with a key.

create table users (
  id uuid primary key,
  email text not null,
  password_hash text,
  role text not null check (role in ('viewer', 'operator', 'admin')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_login_at timestamptz,
  -- Raising it ends every session of the user.
  session_version integer not null default 1
);

create unique index users_email on users (lower(email));

create table login_links (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table login_failures (
  subject text primary key,
  failures integer not null,
  last_failed_at timestamptz not null,
  locked_until timestamptz
);

create table api_keys (
  id uuid primary key,
  name text not null,
  -- The first characters, so that people can tell keys apart.
  prefix text not null,
  key_hash bytea not null unique,
  role text not null check (role in ('viewer', 'operator', 'admin')),
  scopes text[] not null default '{}',
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Requests per calendar day (UTC); null means no limit.
  daily_quota integer check (daily_quota > 0),
  quota_day date,
  quota_used integer not null default 0
);
