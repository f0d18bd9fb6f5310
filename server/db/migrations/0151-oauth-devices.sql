-- Applications without a browser of their own (RFC 8628): a code is shown there and typed here.
alter table rowhouse.oauth_clients add column allow_device_flow boolean not null default false;

create table rowhouse.oauth_device_requests (
  -- Of what the application polls with, and of what a person types.
  hash bytea primary key,
  user_code_hash bytea not null unique,
  client_id text not null references rowhouse.oauth_clients on delete cascade,
  scopes text[] not null,
  -- Null until somebody has decided.
  is_allowed boolean,
  user_id text references rowhouse.users on delete cascade,
  polled_time timestamptz,
  expires_time timestamptz not null
);
create index oauth_device_requests_client on rowhouse.oauth_device_requests (client_id);
create index oauth_device_requests_user on rowhouse.oauth_device_requests (user_id);
create index oauth_device_requests_expires on rowhouse.oauth_device_requests (expires_time);
