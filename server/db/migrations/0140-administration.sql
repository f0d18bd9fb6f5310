-- Accounts that administrators have deleted: shut out, not listed, and restorable until they are deleted for good.
alter table rowhouse.users add column deleted_time timestamptz;
alter table rowhouse.users add constraint users_deleted_check check (deleted_time is null or deactivated_time is not null);

-- Links for new passwords that administrators hand over: they say nothing about an address.
alter table rowhouse.email_codes drop constraint email_codes_purpose_check;
alter table rowhouse.email_codes add constraint email_codes_purpose_check
  check (purpose in ('signUp', 'verify', 'changeEmail', 'resetPassword', 'setPassword'));

-- New accounts become viewers of these.
alter table rowhouse.spaces add column auto_join boolean not null default false;

-- What administrators change while the server runs. Null: what the server was started with.
alter table rowhouse.settings
  add column invitations_per_hour int check (invitations_per_hour > 0),
  add column session_idle_hours int check (session_idle_hours > 0),
  add column session_hours int check (session_hours > 0),
  add column audit_days int not null default 365 check (audit_days > 0),
  add column refused_email_domains text[] not null default '{}';

-- An act that concerns several spaces stands in the log of each, and one that concerns none stands there, too. The first row of
-- an act is what the instance shows, exports and streams: its id is that of the act.
alter table rowhouse.audit_log
  alter column space_id drop not null,
  add column is_first boolean not null default true,
  add column space_ids text[],
  add column is_streamed boolean not null default false;
create index audit_log_actor on rowhouse.audit_log (actor_id, id desc) where is_first;
create index audit_log_unstreamed on rowhouse.audit_log (id) where is_first and not is_streamed;

-- How the stream of the audit log goes, for those who look after it: one row.
create table rowhouse.audit_stream (
  is_only boolean primary key default true check (is_only),
  sent_time timestamptz,
  error text,
  error_time timestamptz
);
insert into rowhouse.audit_stream default values;
