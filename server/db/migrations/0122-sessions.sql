-- Where somebody is signed in, in words: the program and system that it is, and the address that it came from.
alter table rowhouse.sessions add column device text not null default '', add column ip text;

-- From where somebody has signed in: what is not here yet is told by e-mail.
create table rowhouse.known_devices (
  user_id text not null references rowhouse.users on delete cascade,
  device text not null,
  network text not null,
  last_time timestamptz not null default now(),
  primary key (user_id, device, network)
);
