-- Short addresses of shared views. They lead on only while the share is on, under this address.
create table rowhouse.short_links (
  code text primary key,
  share_id text not null unique,
  created_by text not null,
  created_time timestamptz not null default now()
);
