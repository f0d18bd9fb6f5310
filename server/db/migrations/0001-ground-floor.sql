-- Accounts, credentials, spaces, bases, people, tables, fields, views.
create schema if not exists rowhouse;

create table rowhouse.migrations (
  version int primary key,
  name text not null,
  applied_time timestamptz not null default now()
);

-- One row. `epoch` grows whenever something is taken away or changed that a cached access decision
-- rests on: a token, a session, a role, a user, the place of a base or table. Giving something new
-- (a token, a table) does not touch it: absence is never cached.
create table rowhouse.instance (
  singleton boolean primary key default true check (singleton),
  epoch bigint not null default 1,
  id text not null default gen_random_uuid()::text,
  created_time timestamptz not null default now()
);
insert into rowhouse.instance default values;

create table rowhouse.users (
  id text primary key,
  email text not null,
  name text not null,
  avatar text,
  phone text,
  password_hash text,
  is_admin boolean not null default false,
  notify_meta jsonb not null default '{"email": true}',
  deactivated_time timestamptz,
  created_time timestamptz not null default now(),
  last_sign_in_time timestamptz
);
create unique index users_email on rowhouse.users (lower(email));

create table rowhouse.sessions (
  hash bytea primary key,
  user_id text not null references rowhouse.users on delete cascade,
  created_time timestamptz not null default now(),
  last_seen_time timestamptz not null default now(),
  expires_time timestamptz not null,
  user_agent text
);
create index sessions_user on rowhouse.sessions (user_id);
create index sessions_expires on rowhouse.sessions (expires_time);

create table rowhouse.access_tokens (
  id text primary key,
  user_id text not null references rowhouse.users on delete cascade,
  name text not null,
  description text,
  secret_hash bytea not null,
  scopes text[] not null,
  space_ids text[],
  base_ids text[],
  has_full_access boolean not null default false,
  client_id text,
  expired_time timestamptz not null,
  created_time timestamptz not null default now(),
  last_used_time timestamptz
);
create index access_tokens_user on rowhouse.access_tokens (user_id, created_time desc);

create table rowhouse.spaces (
  id text primary key,
  name text not null,
  created_by text not null,
  created_time timestamptz not null default now(),
  last_modified_time timestamptz,
  deleted_time timestamptz,
  deleted_by text
);

create table rowhouse.bases (
  id text primary key,
  space_id text not null references rowhouse.spaces,
  name text not null,
  icon text,
  position double precision not null,
  created_by text not null,
  created_time timestamptz not null default now(),
  last_modified_time timestamptz,
  deleted_time timestamptz,
  deleted_by text
);
create index bases_space on rowhouse.bases (space_id, position);

create table rowhouse.collaborators (
  resource_type text not null check (resource_type in ('space', 'base')),
  resource_id text not null,
  user_id text not null references rowhouse.users on delete cascade,
  role text not null check (role in ('owner', 'creator', 'editor', 'commenter', 'viewer')),
  created_by text,
  created_time timestamptz not null default now(),
  primary key (resource_id, user_id)
);
create index collaborators_user on rowhouse.collaborators (user_id, resource_type);

create table rowhouse.invitations (
  id text primary key,
  kind text not null check (kind in ('link', 'email')),
  resource_type text not null check (resource_type in ('space', 'base')),
  resource_id text not null,
  role text not null,
  email text,
  code text not null,
  created_by text not null,
  created_time timestamptz not null default now(),
  expired_time timestamptz,
  accepted_time timestamptz
);
create index invitations_resource on rowhouse.invitations (resource_id, created_time);
create index invitations_email on rowhouse.invitations (lower(email)) where email is not null and accepted_time is null;

create table rowhouse.tables (
  id text primary key,
  base_id text not null references rowhouse.bases,
  name text not null,
  db_table_name text not null,
  description text,
  icon text,
  position double precision not null,
  created_by text not null,
  created_time timestamptz not null default now(),
  last_modified_time timestamptz not null default now(),
  deleted_time timestamptz,
  deleted_by text,
  unique (base_id, db_table_name)
);
create index tables_base on rowhouse.tables (base_id, position);

-- `version` counts the changes of what a cell of the field means (name, type, options): history entries
-- name the version they were made under.
create table rowhouse.fields (
  id text primary key,
  table_id text not null references rowhouse.tables on delete cascade,
  name text not null,
  description text,
  type text not null,
  options jsonb not null default '{}',
  db_field_name text not null,
  is_primary boolean not null default false,
  not_null boolean not null default false,
  is_unique boolean not null default false,
  position double precision not null,
  version int not null default 1,
  created_by text not null,
  created_time timestamptz not null default now(),
  last_modified_time timestamptz,
  unique (table_id, name),
  unique (table_id, db_field_name)
);
create unique index fields_primary on rowhouse.fields (table_id) where is_primary;

create table rowhouse.views (
  id text primary key,
  table_id text not null references rowhouse.tables on delete cascade,
  name text not null,
  description text,
  type text not null check (type in ('grid', 'kanban', 'gallery', 'calendar', 'form')),
  options jsonb not null default '{}',
  filter jsonb,
  sort jsonb,
  group_by jsonb,
  column_meta jsonb not null default '{}',
  position double precision not null,
  is_locked boolean not null default false,
  -- Set once the view was ordered by hand: the table then has the column `__order_<view id>`.
  has_order boolean not null default false,
  created_by text not null,
  created_time timestamptz not null default now(),
  last_modified_by text,
  last_modified_time timestamptz
);
create index views_table on rowhouse.views (table_id, position);
