-- What people keep for themselves: pins, where they were last, and how they look at a view. See docs/adr/0035-personal.md.
create table rowhouse.pins (
  user_id text not null references rowhouse.users on delete cascade,
  type text not null check (type in ('space', 'base', 'table', 'view')),
  resource_id text not null,
  -- Where it is: it goes with what it is in.
  space_id text references rowhouse.spaces on delete cascade,
  base_id text references rowhouse.bases on delete cascade,
  table_id text references rowhouse.tables on delete cascade,
  position double precision not null,
  primary key (user_id, type, resource_id)
);
create index pins_space on rowhouse.pins (space_id);
create index pins_base on rowhouse.pins (base_id);
create index pins_table on rowhouse.pins (table_id);

create table rowhouse.visits (
  user_id text not null references rowhouse.users on delete cascade,
  resource_type text not null check (resource_type in ('base', 'table', 'view')),
  resource_id text not null,
  parent_id text not null,
  child_id text,
  base_id text not null references rowhouse.bases on delete cascade,
  visited_time timestamptz not null default clock_timestamp(),
  primary key (user_id, resource_type, resource_id)
);
create index visits_parent on rowhouse.visits (user_id, resource_type, parent_id, visited_time);
create index visits_base on rowhouse.visits (base_id);

create table rowhouse.own_queries (
  user_id text not null references rowhouse.users on delete cascade,
  view_id text not null references rowhouse.views on delete cascade,
  query jsonb not null,
  primary key (user_id, view_id)
);
create index own_queries_view on rowhouse.own_queries (view_id);
