-- What a space used at the end of a day, in UTC. Today is not among them: it is counted when somebody asks.
create table rowhouse.usage_samples (
  space_id text not null references rowhouse.spaces on delete cascade,
  day date not null,
  num_rows bigint not null,
  attachment_size bigint not null,
  num_database_connections int not null,
  num_collaborators int not null,
  primary key (space_id, day)
);
create index usage_samples_day on rowhouse.usage_samples (day);

-- Who has which table open, one row per server process that the streams come from. A process renews its rows while it
-- runs: those of one that died are soon old. Lost in a crash, which is no loss.
create unlogged table rowhouse.presence (
  process text not null,
  table_id text not null,
  user_id text not null,
  renewed_time timestamptz not null default clock_timestamp(),
  primary key (table_id, user_id, process)
) with (fillfactor = 50);
create index presence_process on rowhouse.presence (process);
