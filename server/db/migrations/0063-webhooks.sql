-- Webhooks of bases. Each has a follower of the same id while it is on. Deliveries are made from the feed in its order; one waits while an earlier one has a lane
-- in common with it: the lanes of a delivery are its records. Secrets are sealed with the key of the instance.
create table rowhouse.webhooks (
  id text primary key,
  base_id text not null references rowhouse.bases on delete cascade,
  name text not null,
  url text not null,
  events text[] not null,
  table_ids text[],
  field_ids text[],
  view_id text,
  before_filter jsonb,
  after_filter jsonb,
  with_values boolean not null,
  field_key_type text not null,
  -- `on`; `off`: by a person, or because the receiver said so; `paused`: deliveries wait; `stopped`: the person it acts for may not any more.
  state text not null check (state in ('on', 'off', 'paused', 'stopped')),
  reason text,
  secret bytea not null,
  former_secret bytea,
  former_until timestamptz,
  signing_key bytea not null,
  public_key text not null,
  acts_as jsonb not null,
  failures int not null default 0,
  created_by text not null,
  created_time timestamptz not null default now(),
  last_modified_time timestamptz
);
create index webhooks_base on rowhouse.webhooks (base_id);

create table rowhouse.webhook_deliveries (
  seq bigint generated always as identity primary key,
  id text not null unique,
  webhook_id text not null references rowhouse.webhooks on delete cascade,
  event text not null,
  table_id text,
  record_id text,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered')),
  attempts int not null default 0,
  -- When it may be sent; while it is sent, the end of the lease.
  due_time timestamptz not null default now(),
  created_time timestamptz not null default now(),
  delivered_time timestamptz
);
create index webhook_deliveries_page on rowhouse.webhook_deliveries (webhook_id, seq);
create index webhook_deliveries_waiting on rowhouse.webhook_deliveries (webhook_id, due_time) where state = 'waiting';
create index webhook_deliveries_age on rowhouse.webhook_deliveries (created_time);

create table rowhouse.webhook_lanes (
  webhook_id text not null,
  lane text not null,
  delivery bigint not null references rowhouse.webhook_deliveries on delete cascade,
  primary key (webhook_id, lane, delivery)
);
create index webhook_lanes_delivery on rowhouse.webhook_lanes (delivery);

create table rowhouse.webhook_attempts (
  delivery bigint not null references rowhouse.webhook_deliveries on delete cascade,
  attempt int not null,
  time timestamptz not null default now(),
  milliseconds int not null,
  status int,
  error text,
  answer text,
  primary key (delivery, attempt)
);
