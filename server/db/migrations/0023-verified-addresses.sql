-- When the address was proven to be the user's: by a code or link that was mailed to it, or by the word of the operator.
alter table rowhouse.users add column email_verified_time timestamptz;

-- Codes and links that were mailed. Neither stands here: both are derived from the id with the key of the instance, and
-- where the client has a token besides, the id is its hash.
create table rowhouse.email_codes (
  id bytea primary key,
  purpose text not null check (purpose in ('signUp', 'verify', 'changeEmail', 'resetPassword')),
  email text not null,
  -- Whose account it is about, where that was known when it was asked for.
  user_id text references rowhouse.users on delete cascade,
  tries int not null default 0,
  expires_time timestamptz not null
);
create index email_codes_email on rowhouse.email_codes (lower(email));
create index email_codes_user on rowhouse.email_codes (user_id) where user_id is not null;
create index email_codes_expires on rowhouse.email_codes (expires_time);

-- Its secret went out by mail alone, so that it proves the address.
alter table rowhouse.invitations add column is_mailed boolean not null default false;
