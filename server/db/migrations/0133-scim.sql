-- SCIM 2.0: a directory keeps people and departments of an organisation. What it calls them is unique within the organisation.
create table rowhouse.scim_tokens (
  id text primary key,
  organization_id text not null references rowhouse.organizations on delete cascade,
  name text not null,
  secret_hash bytea not null,
  created_by text not null,
  created_time timestamptz not null default now(),
  last_used_time timestamptz
);
create index scim_tokens_organization on rowhouse.scim_tokens (organization_id);

create table rowhouse.scim_users (
  organization_id text not null references rowhouse.organizations on delete cascade,
  user_id text primary key references rowhouse.users on delete cascade,
  user_name text not null,
  external_id text,
  given_name text,
  family_name text,
  changed_time timestamptz not null default now()
);
create unique index scim_users_name on rowhouse.scim_users (organization_id, lower(user_name));

create table rowhouse.scim_groups (
  group_id text primary key references rowhouse.groups on delete cascade,
  organization_id text not null references rowhouse.organizations on delete cascade,
  external_id text,
  changed_time timestamptz not null default now()
);
create index scim_groups_organization on rowhouse.scim_groups (organization_id);
