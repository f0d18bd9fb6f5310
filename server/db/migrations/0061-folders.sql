-- Folders of tables. A table stands in a folder, or at the top of its base. Positions of tables and folders are one order in each folder.
create table rowhouse.folders (
  id text primary key,
  base_id text not null references rowhouse.bases on delete cascade,
  -- Checked at the end of the transaction: a restored folder may come before the one that holds it.
  parent_id text references rowhouse.folders deferrable initially deferred,
  name text not null,
  position double precision not null,
  created_by text not null,
  created_time timestamptz not null default now()
);
create index folders_base on rowhouse.folders (base_id);
alter table rowhouse.tables add column folder_id text references rowhouse.folders on delete set null;
create index tables_folder on rowhouse.tables (folder_id) where folder_id is not null;
