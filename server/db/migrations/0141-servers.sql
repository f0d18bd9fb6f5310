-- Server processes that run, each with a row that it renews. Lost in a crash, which is no loss.
create unlogged table rowhouse.servers (
  id text primary key,
  host text not null,
  version text not null,
  commit text,
  started_time timestamptz not null default clock_timestamp(),
  seen_time timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
