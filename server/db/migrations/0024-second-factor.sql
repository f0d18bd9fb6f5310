-- A second factor: the secret of an authenticator app, sealed with the key of the instance.
alter table rowhouse.users add column second_factor_time timestamptz;

create table rowhouse.second_factors (
  user_id text primary key references rowhouse.users on delete cascade,
  sealed_secret bytea not null,
  -- The step of the newest code that was accepted: none is accepted twice.
  last_step bigint not null default 0,
  -- Null until the first code of the app has shown that it has the secret.
  confirmed_time timestamptz,
  begun_time timestamptz not null default now()
);

-- Each lets somebody in once who has lost the app.
create table rowhouse.recovery_codes (
  user_id text not null references rowhouse.users on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

-- People whose password was right, and whose second factor is still to come.
create table rowhouse.half_sign_ins (
  hash bytea primary key,
  user_id text not null references rowhouse.users on delete cascade,
  expires_time timestamptz not null
);
create index half_sign_ins_user on rowhouse.half_sign_ins (user_id);
create index half_sign_ins_expires on rowhouse.half_sign_ins (expires_time);

alter table rowhouse.spaces add column demands_second_factor boolean not null default false;
