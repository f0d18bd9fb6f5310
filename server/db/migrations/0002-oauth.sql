-- OAuth applications, and what users have allowed them. Codes, tokens and secrets are kept as hashes only.
-- Taking something away is one delete: the foreign keys end everything that rests on it.
create table rowhouse.oauth_clients (
  client_id text primary key,
  name text not null,
  description text,
  logo text,
  homepage text not null,
  scopes text[] not null default '{}',
  redirect_uris text[] not null,
  created_by text not null references rowhouse.users on delete cascade,
  created_time timestamptz not null default now(),
  last_modified_time timestamptz
);
create index oauth_clients_creator on rowhouse.oauth_clients (created_by, created_time desc);

create table rowhouse.oauth_secrets (
  id text primary key,
  client_id text not null references rowhouse.oauth_clients on delete cascade,
  secret_hash bytea not null,
  -- Its last characters, so that people can tell their secrets apart.
  ending text not null,
  created_time timestamptz not null default now(),
  last_used_time timestamptz
);
create index oauth_secrets_client on rowhouse.oauth_secrets (client_id, created_time desc);

-- A request of an application that waits for the user's decision.
create table rowhouse.oauth_transactions (
  hash bytea primary key,
  client_id text not null references rowhouse.oauth_clients on delete cascade,
  user_id text not null references rowhouse.users on delete cascade,
  redirect_uri text not null,
  -- Whether the application named it: then it must name it again when it redeems the code.
  redirect_uri_given boolean not null,
  scopes text[] not null,
  state text,
  code_challenge text,
  expires_time timestamptz not null
);
create index oauth_transactions_client on rowhouse.oauth_transactions (client_id);
create index oauth_transactions_user on rowhouse.oauth_transactions (user_id);
create index oauth_transactions_expires on rowhouse.oauth_transactions (expires_time);

-- That a user allows an application to act for him: one row, however often he signs in with it.
create table rowhouse.oauth_authorizations (
  client_id text not null references rowhouse.oauth_clients on delete cascade,
  user_id text not null references rowhouse.users on delete cascade,
  scopes text[] not null,
  approved_time timestamptz not null,
  primary key (client_id, user_id)
);
create index oauth_authorizations_user on rowhouse.oauth_authorizations (user_id);

-- One code and all tokens that came of it: the family that ends as a whole. The code stays after its
-- use, so that a second use is recognised.
create table rowhouse.oauth_grants (
  id bigint generated always as identity primary key,
  client_id text not null,
  user_id text not null,
  scopes text[] not null,
  code_hash bytea not null unique,
  code_expires_time timestamptz not null,
  code_used_time timestamptz,
  redirect_uri text not null,
  redirect_uri_given boolean not null,
  code_challenge text,
  -- The secret that its newest tokens were issued for; null for a public application.
  secret_id text references rowhouse.oauth_secrets on delete cascade,
  -- After that time nothing of it is valid any more.
  expires_time timestamptz not null,
  last_used_time timestamptz,
  foreign key (client_id, user_id) references rowhouse.oauth_authorizations on delete cascade
);
create index oauth_grants_authorization on rowhouse.oauth_grants (client_id, user_id);
create index oauth_grants_secret on rowhouse.oauth_grants (secret_id) where secret_id is not null;

create table rowhouse.oauth_refresh_tokens (
  hash bytea primary key,
  grant_id bigint not null references rowhouse.oauth_grants on delete cascade,
  expires_time timestamptz not null,
  used_time timestamptz
);
create index oauth_refresh_tokens_grant on rowhouse.oauth_refresh_tokens (grant_id);

alter table rowhouse.access_tokens
  add column grant_id bigint references rowhouse.oauth_grants on delete cascade;
create index access_tokens_grant on rowhouse.access_tokens (grant_id) where grant_id is not null;
create index access_tokens_client on rowhouse.access_tokens (client_id, user_id) where client_id is not null;
