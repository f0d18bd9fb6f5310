-- Indexes for what people and programs ask again and again beside the views: which keys, and when the index was last used.
create table rowhouse.query_indexes (
  table_id text not null references rowhouse.tables on delete cascade,
  -- [{fieldId, as, order}, …]: what the index is on, whatever its columns and their names are by now.
  keys jsonb not null,
  -- Of the index, as it is now; null before it was first looked after.
  name text,
  -- How often PostgreSQL had used it at the last look.
  scans bigint not null default 0,
  used_time timestamptz not null default now(),
  primary key (table_id, keys)
);
