-- Room for files is counted when their bytes arrive, see docs/adr/0088-room-is-counted-when-bytes-arrive.md.
-- Announced or uploaded, and in no record yet. Whether a record mentions it by now is decided by `file_uses`: the sweep clears this later.
alter table rowhouse.files add column is_waiting boolean not null default false;
-- A client was given an address of the bucket: bytes may be beside the file until the address has expired.
alter table rowhouse.files add column is_direct boolean not null default false;
update rowhouse.files f set uploaded_time = notified_time,
  is_waiting = f.job_id is null and not exists (select from rowhouse.file_uses u where u.token = f.token) and not exists (select from rowhouse.public_files p where p.token = f.token);
create index files_waiting on rowhouse.files (created_by) where is_waiting;
create index files_direct on rowhouse.files (expires_time) where is_direct;

-- Bytes that are on their way, one row for each upload. A process that is killed leaves its rows; they count until their time ends.
create table rowhouse.file_arrivals (
  id text primary key,
  space_id text,
  view_id text,
  created_by text not null,
  -- The announcement that they belong to.
  token text,
  bytes bigint not null,
  -- By then the upload is over: it has asked for more room before, or has ended.
  ends_time timestamptz not null
);
