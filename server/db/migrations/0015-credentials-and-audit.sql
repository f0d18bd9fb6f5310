-- A token that was made with another one ends with it.
-- `may_do_all`: it may do all its user may, also what becomes possible later; then `scopes` says nothing.
alter table rowhouse.access_tokens
  add column parent_id text references rowhouse.access_tokens on delete cascade,
  add column may_do_all boolean not null default false,
  add constraint access_tokens_all check (not may_do_all or (has_full_access and client_id is null));
create index access_tokens_parent on rowhouse.access_tokens (parent_id) where parent_id is not null;

-- Until now that was said by naming every scope there was.
update rowhouse.access_tokens set may_do_all = true
where has_full_access and client_id is null and scopes @> array[
  'space|create', 'space|delete', 'space|read', 'space|update', 'space|invite_email', 'space|invite_link', 'space|grant_role',
  'base|create', 'base|delete', 'base|read', 'base|read_all', 'base|update', 'base|invite_email', 'base|invite_link', 'base|table_import',
  'base|table_export', 'base|authority_matrix_config', 'base|db_connection', 'base|query_data',
  'table|create', 'table|delete', 'table|read', 'table|update', 'table|import', 'table|export', 'table|trash_read', 'table|trash_update', 'table|trash_reset',
  'view|create', 'view|delete', 'view|read', 'view|update', 'view|share', 'field|create', 'field|delete', 'field|read', 'field|update',
  'record|create', 'record|delete', 'record|read', 'record|update', 'record|comment',
  'automation|create', 'automation|delete', 'automation|read', 'automation|update', 'user|email_read', 'table_record_history|read'];

-- The codes of invitations are kept as hashes.
alter table rowhouse.invitations add column code_hash bytea;
update rowhouse.invitations set code_hash = sha256(convert_to(code, 'UTF8'));
alter table rowhouse.invitations alter column code_hash set not null, drop column code;

-- What happened in a space that its owners should be able to look up: written in the transaction that did it.
-- Nothing refers to it and it refers to nothing: it outlives what it tells of.
create table rowhouse.audit_log (
  id bigint generated always as identity primary key,
  space_id text not null,
  time timestamptz not null default clock_timestamp(),
  action text not null,
  -- Null: the operator, or the server itself.
  actor_id text,
  via text not null check (via in ('session', 'token', 'application', 'operator', 'server')),
  -- The id of the token, or of the application.
  credential_id text,
  ip text,
  user_agent text,
  -- What it was done to, and what else there is to say.
  target jsonb not null default '{}'
);
create index audit_log_space on rowhouse.audit_log (space_id, id desc);
create index audit_log_time on rowhouse.audit_log (time);
