-- Fields in the trash. Their cells stay in the table of the records, in a column of another name.
-- `columns` is what the views had to say about them, by view.
create table rowhouse.deleted_fields (
  id text primary key,
  table_id text not null references rowhouse.tables on delete cascade,
  field jsonb not null,
  columns jsonb not null,
  created_by text not null,
  deleted_by text not null,
  deleted_time timestamptz not null default clock_timestamp()
);
create index deleted_fields_table on rowhouse.deleted_fields (table_id, deleted_time);

-- Views in the trash. Where one was ordered by hand, the column of its order stays too.
create table rowhouse.deleted_views (
  id text primary key,
  table_id text not null references rowhouse.tables on delete cascade,
  view jsonb not null,
  created_by text not null,
  created_time timestamptz not null,
  last_modified_by text,
  last_modified_time timestamptz,
  deleted_by text not null,
  deleted_time timestamptz not null default clock_timestamp()
);
create index deleted_views_table on rowhouse.deleted_views (table_id, deleted_time);
