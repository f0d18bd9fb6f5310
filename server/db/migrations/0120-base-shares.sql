-- A whole base, a folder or a table of it by its address. Its epoch stands under its address.
create table rowhouse.base_shares (
  share_id text primary key,
  base_id text not null references rowhouse.bases on delete cascade,
  -- Neither of them: the whole base.
  folder_id text references rowhouse.folders on delete cascade,
  table_id text references rowhouse.tables on delete cascade,
  is_on boolean not null default true,
  allow_copy boolean not null default false,
  allow_save boolean not null default false,
  password_hash text,
  -- Grows with each change: addresses of files that were given before end.
  version integer not null default 1,
  created_by text not null,
  created_time timestamptz not null default now(),
  check (folder_id is null or table_id is null)
);
create unique index base_shares_place on rowhouse.base_shares (base_id, coalesce(folder_id, table_id, ''));
