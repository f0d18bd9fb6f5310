-- Named sets of values for new records. `cells`: by field id, as a request would send them, without the titles of records and the names of people, which are looked up.
-- `choices`: by field id, the ids of the choices that cells name, so that they follow a rename. Deleted templates stay for a while.
create table rowhouse.record_templates (
  id text primary key,
  table_id text not null references rowhouse.tables on delete cascade,
  name text not null,
  cells jsonb not null,
  choices jsonb not null,
  created_by text not null,
  created_time timestamptz not null default now(),
  last_modified_by text,
  last_modified_time timestamptz,
  deleted_time timestamptz
);
create index record_templates_table on rowhouse.record_templates (table_id);
