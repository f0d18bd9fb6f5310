-- One row per user who was ever told anything. Whoever adds or marks notifications of a user holds it, so
-- `unread` is exact without counting, and `seq` of the notifications rises in the order in which they become visible.
create table rowhouse.inboxes (
  user_id text primary key references rowhouse.users on delete cascade,
  unread int not null default 0,
  last_seq bigint not null default 0,
  -- Moves with every change, also of what is read.
  version bigint not null default 0
);

-- `path` is below the public address of the server. `source` names the cause where it could come twice.
-- `mail`: none | pending | sending | sent | failed. A row is `sending` before anything goes out, so a crash
-- loses a letter rather than sending it twice.
create table rowhouse.notifications (
  id text primary key,
  user_id text not null references rowhouse.users on delete cascade,
  seq bigint not null,
  type text not null check (type in ('system', 'collaboratorCellTag', 'collaboratorMultiRowTag', 'comment', 'exportBase')),
  message text not null,
  path text not null,
  actor_id text,
  source text,
  is_read boolean not null default false,
  created_time timestamptz not null default clock_timestamp(),
  mail text not null default 'none',
  mail_tries int not null default 0,
  mail_time timestamptz
);
create unique index notifications_user on rowhouse.notifications (user_id, seq);
create index notifications_unread on rowhouse.notifications (user_id, seq) where not is_read;
create index notifications_read on rowhouse.notifications (user_id, seq) where is_read;
create index notifications_old on rowhouse.notifications (created_time) where is_read;
create index notifications_mail on rowhouse.notifications (mail_time) where mail = 'pending';
create unique index notifications_source on rowhouse.notifications (source) where source is not null;

-- What has to be told, written in the transaction of its cause and taken out in the one that makes the notifications.
create table rowhouse.outbox (
  id bigint generated always as identity primary key,
  message jsonb not null,
  created_time timestamptz not null default clock_timestamp()
);
