-- Background work: one row per job, see docs/adr/0018-jobs.md. `due_time` is when a job may be taken; while one runs it is
-- the end of its lease, so one whose process has vanished is due again by itself. `token` grows each time it is taken: what
-- a process writes with an older one does not count. Times are those of the database.
create table rowhouse.jobs (
  id text primary key,
  -- The order in which they were added.
  seq bigint generated always as identity,
  kind text not null,
  -- Of one kind and key one waits and one runs at most. Null: as many as there are.
  key text,
  payload jsonb not null default '{}',
  -- Where it belongs, and whose it is; null for the server's own.
  base_id text,
  created_by text,
  -- Seconds between runs; null: once.
  every int,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  due_time timestamptz not null default now(),
  token bigint not null default 0,
  attempt int not null default 0,
  worker text,
  cancel_requested boolean not null default false,
  -- Where a job goes on after its process has ended.
  cursor jsonb,
  done bigint,
  total bigint,
  result jsonb,
  error text,
  created_time timestamptz not null default clock_timestamp(),
  started_time timestamptz,
  finished_time timestamptz
);
create index jobs_due on rowhouse.jobs (kind, due_time, seq) where state in ('waiting', 'running');
create unique index jobs_waiting on rowhouse.jobs (kind, key) where state = 'waiting' and key is not null;
create index jobs_running on rowhouse.jobs (kind, key) where state = 'running' and key is not null;
create unique index jobs_periodic on rowhouse.jobs (kind) where every is not null;
create index jobs_base on rowhouse.jobs (base_id, created_time) where base_id is not null;
create index jobs_finished on rowhouse.jobs (finished_time) where state in ('done', 'failed', 'cancelled');

-- What had to be told, and e-mails that had to be sent, are jobs from now on.
insert into rowhouse.jobs (id, kind, payload, created_time)
select 'job' || left(md5('outbox' || id), 16), 'notify', message, created_time from rowhouse.outbox order by id;
drop table rowhouse.outbox;

insert into rowhouse.jobs (id, kind, payload, attempt, due_time)
select 'job' || right(id, 16), 'send-email', jsonb_build_object('notificationId', id), mail_tries, coalesce(mail_time, now()) from rowhouse.notifications where mail = 'pending';
alter table rowhouse.notifications drop column mail, drop column mail_tries, drop column mail_time;
