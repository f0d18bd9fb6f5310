-- What follows the feed of a base and must miss nothing, such as a webhook: its entries stay until every follower has taken them. `position` is the last entry that
-- it has taken. One that falls too far behind is paused, and entries are no longer kept for it.
create table rowhouse.followers (
  id text primary key,
  kind text not null,
  base_id text not null references rowhouse.bases on delete cascade,
  position bigint not null,
  paused_time timestamptz,
  created_time timestamptz not null default now()
);
create index followers_base on rowhouse.followers (base_id);
