-- Views by their address, see docs/adr/0051-shares.md. A share goes with its view.
create table rowhouse.shares (
  view_id text primary key references rowhouse.views on delete cascade,
  -- Part of the address; a new one ends the old.
  share_id text not null unique,
  is_on boolean not null,
  -- As in the API, without the password; null: never set.
  meta jsonb,
  password_hash text,
  opened_count bigint not null default 0,
  last_opened_time timestamptz,
  answer_count bigint not null default 0,
  created_by text not null,
  created_time timestamptz not null default clock_timestamp()
);

-- Browsers, as far as they can be told apart: a keyed hash, from which nobody is known.
create table rowhouse.share_visitors (
  view_id text not null references rowhouse.shares on delete cascade,
  visitor bytea not null,
  last_time timestamptz not null default clock_timestamp(),
  primary key (view_id, visitor)
);

-- Who has submitted a form that takes one answer per person, as such a hash.
create table rowhouse.share_answers (
  view_id text not null references rowhouse.shares on delete cascade,
  person bytea not null,
  answered_time timestamptz not null default clock_timestamp(),
  primary key (view_id, person)
);
