-- Rights on rows and fields of a base: roles, who has them, and what they grant. Stored positively: what no grant names is not allowed, so a later version adds
-- nothing to anybody. What is switched off stays, without effect. A base without a matrix has no row here.
create table rowhouse.matrices (
  base_id text primary key references rowhouse.bases on delete cascade,
  id text not null unique,
  -- Grows with every change of what is below: grants are remembered by it.
  version bigint not null default 1,
  enabled_time timestamptz,
  -- No reference: roles refer to the matrix, and copies of a database put tables into an order. A role that is the default is not deleted.
  default_role_id text,
  created_by text not null,
  created_time timestamptz not null default now()
);

create table rowhouse.matrix_admins (
  base_id text not null references rowhouse.matrices on delete cascade,
  user_id text not null references rowhouse.users on delete cascade,
  primary key (base_id, user_id)
);
create index matrix_admins_user on rowhouse.matrix_admins (user_id);

create table rowhouse.matrix_roles (
  id text primary key,
  base_id text not null references rowhouse.matrices on delete cascade,
  name text not null,
  description text,
  enabled_time timestamptz,
  -- Rights on workflows and applications.
  nodes jsonb not null default '[]',
  created_by text not null,
  created_time timestamptz not null default now(),
  unique (base_id, id)
);
create unique index matrix_roles_name on rowhouse.matrix_roles (base_id, lower(name));

create table rowhouse.matrix_members (
  role_id text not null references rowhouse.matrix_roles on delete cascade,
  user_id text references rowhouse.users on delete cascade,
  group_id text references rowhouse.groups on delete cascade,
  principal_id text not null generated always as (coalesce(user_id, group_id)) stored,
  constraint matrix_members_one_principal check (num_nonnulls(user_id, group_id) = 1),
  primary key (role_id, principal_id)
);
create index matrix_members_principal on rowhouse.matrix_members (principal_id);
create index matrix_members_group on rowhouse.matrix_members (group_id) where group_id is not null;

-- A table without a row is not there for the members of the role.
create table rowhouse.matrix_grants (
  role_id text not null references rowhouse.matrix_roles on delete cascade,
  table_id text not null references rowhouse.tables on delete cascade,
  enabled_time timestamptz,
  -- Null: all views, also future ones.
  view_ids text[],
  -- Numbers, times and authors of records.
  shows_facts boolean not null default true,
  -- `[{actions, fields, create, update, when, after?, memo?, reveals?}]`
  grants jsonb not null,
  created_time timestamptz not null default now(),
  primary key (role_id, table_id)
);
create index matrix_grants_table on rowhouse.matrix_grants (table_id);
