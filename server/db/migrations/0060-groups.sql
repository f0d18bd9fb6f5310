-- Groups of people in a space. They have roles on the space and its bases as people do. `group_members` also holds the members of all
-- groups below, so that nobody has to walk the tree to know who is in a group.
create table rowhouse.groups (
  id text primary key,
  space_id text not null references rowhouse.spaces on delete cascade,
  parent_id text,
  name text not null,
  created_by text not null,
  created_time timestamptz not null default now(),
  unique (space_id, id),
  foreign key (space_id, parent_id) references rowhouse.groups (space_id, id)
);
create unique index groups_name on rowhouse.groups (space_id, coalesce(parent_id, ''), lower(name));

create table rowhouse.group_members (
  user_id text not null references rowhouse.users on delete cascade,
  group_id text not null references rowhouse.groups on delete cascade,
  -- False: only by a group below.
  is_direct boolean not null,
  created_time timestamptz not null default now(),
  primary key (user_id, group_id)
);
create index group_members_group on rowhouse.group_members (group_id);

alter table rowhouse.collaborators drop constraint collaborators_pkey;
alter table rowhouse.collaborators
  alter column user_id drop not null,
  add column group_id text references rowhouse.groups on delete cascade,
  add constraint collaborators_one_principal check (num_nonnulls(user_id, group_id) = 1),
  add column principal_id text not null generated always as (coalesce(user_id, group_id)) stored;
alter table rowhouse.collaborators add primary key (resource_id, principal_id);
create index collaborators_principal on rowhouse.collaborators (principal_id);
create index collaborators_group on rowhouse.collaborators (group_id) where group_id is not null;
