-- Tokens that were not made by hand and end within minutes: they are not listed.
alter table rowhouse.access_tokens add column is_temporary boolean not null default false;

-- Parameters of queries that are too long for an address. They may be lost with a crash: then they are saved again.
create unlogged table rowhouse.saved_queries (
  id text primary key,
  user_id text not null references rowhouse.users on delete cascade,
  params jsonb not null,
  time timestamptz not null default clock_timestamp()
);
create index saved_queries_time on rowhouse.saved_queries (time);
create index saved_queries_user on rowhouse.saved_queries (user_id);

-- The picture that stands for the instance.
alter table rowhouse.settings add column brand_logo text;
