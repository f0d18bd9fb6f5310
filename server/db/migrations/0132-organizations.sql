-- Organisations own spaces, domains, ways to sign in, members, and departments: groups that belong to an organisation in place of a space.
create table rowhouse.organizations (
  id text primary key,
  name text not null,
  -- Spaces that new members join.
  auto_space_type text not null default 'none' check (auto_space_type in ('all', 'selected', 'none')),
  auto_space_ids text[] not null default '{}',
  -- Which departments members can browse.
  department_scope text not null default 'all' check (department_scope in ('all', 'related')),
  -- The only provider through which people of its verified domains sign in.
  only_provider_id text,
  created_by text,
  created_time timestamptz not null default now()
);

-- A person is in one organisation at most.
create table rowhouse.organization_members (
  user_id text primary key references rowhouse.users on delete cascade,
  organization_id text not null references rowhouse.organizations on delete cascade,
  is_admin boolean not null default false,
  created_time timestamptz not null default now()
);
create index organization_members_organization on rowhouse.organization_members (organization_id);

alter table rowhouse.spaces add column organization_id text references rowhouse.organizations on delete set null;
create index spaces_organization on rowhouse.spaces (organization_id) where organization_id is not null;

create table rowhouse.organization_domains (
  id text primary key,
  organization_id text not null references rowhouse.organizations on delete cascade,
  domain text not null,
  -- What the TXT record has to say.
  token text not null,
  created_time timestamptz not null default now(),
  -- Null: not shown yet, or no longer.
  verified_time timestamptz,
  checked_time timestamptz,
  -- Since when the record is missing; a verified domain is lost some days later.
  missing_since timestamptz,
  unique (organization_id, domain)
);
-- Of all who name a domain one has it.
create unique index organization_domains_verified on rowhouse.organization_domains (domain) where verified_time is not null;

-- Accounts that an organisation has shut: it may let these in again, and none that the operator has shut.
create table rowhouse.organization_shut_users (
  user_id text primary key references rowhouse.users on delete cascade,
  organization_id text not null references rowhouse.organizations on delete cascade
);
create index organization_shut_users_organization on rowhouse.organization_shut_users (organization_id);

create table rowhouse.organization_providers (
  id text primary key,
  organization_id text not null references rowhouse.organizations on delete cascade,
  name text not null,
  issuer text not null,
  client_id text not null,
  sealed_secret bytea,
  config jsonb not null,
  created_time timestamptz not null default now(),
  changed_time timestamptz not null default now()
);
create index organization_providers_organization on rowhouse.organization_providers (organization_id);

alter table rowhouse.groups drop constraint groups_space_id_parent_id_fkey, drop constraint groups_space_id_id_key;
drop index rowhouse.groups_name;
alter table rowhouse.groups
  alter column space_id drop not null,
  add column organization_id text references rowhouse.organizations on delete cascade,
  add constraint groups_one_home check (num_nonnulls(space_id, organization_id) = 1),
  add column home_id text not null generated always as (coalesce(space_id, organization_id)) stored;
alter table rowhouse.groups
  add constraint groups_home_id_id_key unique (home_id, id),
  add constraint groups_home_id_parent_id_fkey foreign key (home_id, parent_id) references rowhouse.groups (home_id, id);
create unique index groups_name on rowhouse.groups (home_id, coalesce(parent_id, ''), lower(name));
