-- Automations of bases. The draft is what people edit; `version` is the published one, whose definition stands in automation_versions for as long as runs need it.
-- Bases with automations that follow records have one follower, `automation:<base>`. Secrets are sealed with the key of the instance.
create table rowhouse.automations (
  id text primary key,
  base_id text not null references rowhouse.bases on delete cascade,
  name text not null,
  description text,
  position double precision not null,
  draft jsonb not null,
  version int,
  -- `error`: it no longer fits the base; `stopped`: the person it acts as may not any more; `paused`: too far behind.
  state text not null default 'off' check (state in ('off', 'on', 'error', 'stopped', 'paused')),
  reason text,
  acts_as jsonb,
  secret bytea not null,
  signing_key bytea not null,
  public_key text not null,
  address_hash text unique,
  -- Of schedules and dates: when it starts next.
  next_time timestamptz,
  created_by text not null,
  created_time timestamptz not null default now(),
  last_modified_time timestamptz
);
create index automations_base on rowhouse.automations (base_id, position);
create index automations_due on rowhouse.automations (next_time) where state = 'on' and next_time is not null;

create table rowhouse.automation_versions (
  automation_id text not null references rowhouse.automations on delete cascade,
  version int not null,
  definition jsonb not null,
  created_time timestamptz not null default now(),
  primary key (automation_id, version)
);

-- `path` is the step that comes next; it moves in the transaction that writes what the step before it did. While a call is under way `due_time` is the end of its lease.
create table rowhouse.automation_runs (
  seq bigint generated always as identity primary key,
  id text not null unique,
  automation_id text not null references rowhouse.automations on delete cascade,
  base_id text not null,
  version int not null,
  -- What started it: the same event starts an automation once.
  event text not null,
  trigger_type text not null,
  trigger jsonb not null,
  record_id text,
  record_name text,
  depth int not null,
  chain text[] not null,
  started_by text,
  state text not null check (state in ('waiting', 'running', 'success', 'failed', 'canceled')),
  path text not null default '0',
  attempts int not null default 0,
  error text,
  due_time timestamptz not null default now(),
  created_time timestamptz not null default now(),
  started_time timestamptz,
  ended_time timestamptz,
  unique (automation_id, event)
);
create index automation_runs_page on rowhouse.automation_runs (automation_id, seq);
create index automation_runs_due on rowhouse.automation_runs (base_id, due_time, seq) where state in ('waiting', 'running');
create index automation_runs_age on rowhouse.automation_runs (created_time);

create table rowhouse.automation_steps (
  seq bigint generated always as identity primary key,
  run bigint not null references rowhouse.automation_runs on delete cascade,
  path text not null,
  step_id text not null,
  type text not null,
  name text,
  state text not null check (state in ('success', 'failed', 'skipped')),
  input jsonb,
  output jsonb,
  error text,
  attempts int not null,
  time timestamptz not null default clock_timestamp(),
  milliseconds int not null,
  unique (run, path)
);
create index automation_steps_of on rowhouse.automation_steps (run, step_id, seq);

-- Runs that were started, by space and month; and by base and minute, which limits them.
create table rowhouse.automation_months (
  space_id text not null,
  month date not null,
  runs bigint not null,
  primary key (space_id, month)
);
create table rowhouse.automation_minutes (
  base_id text primary key references rowhouse.bases on delete cascade,
  minute timestamptz not null,
  runs int not null
);
