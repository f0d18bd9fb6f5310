-- Uploaded files, see docs/adr/0041-files.md. The bytes are in the storage under their token.
create table rowhouse.files (
  token text primary key,
  -- As in the API: 1 for a cell, 5 to import from.
  type smallint not null,
  size bigint not null,
  mimetype text not null,
  name text,
  width int,
  height int,
  -- Where room was kept for it before it came.
  space_id text references rowhouse.spaces on delete set null,
  created_by text not null,
  created_time timestamptz not null default clock_timestamp(),
  -- Until then the upload may begin.
  expires_time timestamptz not null,
  uploaded_time timestamptz,
  -- Told that it is there: from then on cells may mention it.
  notified_time timestamptz,
  -- Its bytes are being removed: no cell may mention it any more.
  is_leaving boolean not null default false
);
create index files_space on rowhouse.files (space_id) where space_id is not null;
create index files_created on rowhouse.files (created_time);

-- Which files the cells of a base mention, now or in what can be brought back.
create table rowhouse.file_uses (
  base_id text not null references rowhouse.bases on delete cascade,
  token text not null references rowhouse.files,
  -- When a cell was last written with it.
  used_time timestamptz not null default clock_timestamp(),
  primary key (base_id, token)
);
create index file_uses_token on rowhouse.file_uses (token);
