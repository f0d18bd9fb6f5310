-- Who people are at providers of OpenID Connect. What a provider calls a person is unique together with its issuer alone.
create table rowhouse.identities (
  id text primary key,
  user_id text not null references rowhouse.users on delete cascade,
  issuer text not null,
  subject text not null,
  -- As the provider said when it was last used: to be shown, and for nothing else.
  email text,
  created_time timestamptz not null default now(),
  last_used_time timestamptz,
  unique (issuer, subject)
);
create index identities_user on rowhouse.identities (user_id);

-- People who were sent to a provider. Any process can finish what another one began.
create table rowhouse.begun_sign_ins (
  -- Of the state.
  hash bytea primary key,
  -- Of the cookie: another browser cannot finish it.
  browser_hash bytea not null,
  provider_id text not null,
  redirect text not null,
  -- Who links an identity with their account; null: somebody signs in.
  user_id text references rowhouse.users on delete cascade,
  expires_time timestamptz not null
);
create index begun_sign_ins_user on rowhouse.begun_sign_ins (user_id) where user_id is not null;
create index begun_sign_ins_expires on rowhouse.begun_sign_ins (expires_time);
