-- Tries to sign in, counted per address and per client under the hash of either.
create table rowhouse.sign_in_attempts (
  key bytea primary key,
  count int not null,
  expires_time timestamptz not null
);
create index sign_in_attempts_expires on rowhouse.sign_in_attempts (expires_time);

-- From where an address has been signed in to before: others' guessing does not lock these clients out.
create table rowhouse.known_clients (
  key bytea primary key,
  expires_time timestamptz not null
);
create index known_clients_expires on rowhouse.known_clients (expires_time);
