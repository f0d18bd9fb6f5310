-- Dashboards of a base stand among its tables and folders, in one order. A chart is kept as the JSON that it was given as: `{chart}`, or what Teable's clients store.
create table rowhouse.dashboards (
  id text primary key,
  base_id text not null references rowhouse.bases on delete cascade,
  folder_id text references rowhouse.folders on delete set null,
  name text not null,
  position double precision not null,
  filters jsonb not null default '[]',
  created_by text not null,
  created_time timestamptz not null default now(),
  deleted_time timestamptz,
  deleted_by text
);
create index dashboards_base on rowhouse.dashboards (base_id);
create index dashboards_folder on rowhouse.dashboards (folder_id) where folder_id is not null;

create table rowhouse.dashboard_items (
  id text primary key,
  dashboard_id text not null references rowhouse.dashboards on delete cascade,
  name text not null,
  x int not null,
  y int not null,
  w int not null,
  h int not null,
  version int not null default 1,
  storage jsonb,
  created_by text not null,
  created_time timestamptz not null default now()
);
create index dashboard_items_dashboard on rowhouse.dashboard_items (dashboard_id);

-- Visitors see what the one who shared it may see.
create table rowhouse.dashboard_shares (
  dashboard_id text primary key references rowhouse.dashboards on delete cascade,
  share_id text not null unique,
  password_hash text,
  shared_by jsonb not null,
  created_time timestamptz not null default now()
);
