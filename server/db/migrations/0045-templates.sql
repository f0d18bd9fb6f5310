-- Files that anyone may read who knows their address: pictures of people, covers of templates. They are kept as long as they stand here.
create table rowhouse.public_files (
  -- The user or template that shows it.
  owner_id text not null,
  token text not null references rowhouse.files,
  primary key (owner_id, token)
);
create index public_files_token on rowhouse.public_files (token);

create table rowhouse.template_categories (
  id text primary key,
  name text not null,
  position double precision not null,
  created_time timestamptz not null default now()
);

-- Bases to begin from, see docs/adr/0056-templates.md.
create table rowhouse.templates (
  id text primary key,
  -- Comes with Rowhouse: the name of its definition. Name and description are those of the definition until somebody changes them.
  definition text unique,
  name text,
  description text,
  markdown_description text,
  category_id text references rowhouse.template_categories on delete set null,
  -- Id and name of the mention, and the token of the file.
  cover jsonb,
  is_system boolean not null default false,
  is_published boolean not null default false,
  -- What it is made from. That base may be gone.
  base_id text,
  -- The copy that new bases are made from. It is in a space of its own that nobody has a role in.
  snapshot_base_id text references rowhouse.bases,
  snapshot_time timestamptz,
  usage_count bigint not null default 0,
  position double precision not null,
  created_by text,
  created_time timestamptz not null default now()
);
create index templates_snapshot on rowhouse.templates (snapshot_base_id);

insert into rowhouse.template_categories (id, name, position) values
  ('tpcProjectsEvents00', 'Projects and events', 1),
  ('tpcSalesMarketing00', 'Sales and marketing', 2),
  ('tpcOperations000000', 'Operations', 3);

insert into rowhouse.templates (id, definition, category_id, is_system, is_published, position) values
  ('tplProjectTracker00', 'project-tracker', 'tpcProjectsEvents00', true, true, 1),
  ('tplSalesPipeline000', 'sales-pipeline', 'tpcSalesMarketing00', true, true, 2),
  ('tplContentCalendar0', 'content-calendar', 'tpcSalesMarketing00', true, true, 3),
  ('tplInventoryOrders0', 'inventory-orders', 'tpcOperations000000', true, true, 4),
  ('tplEventPlanning000', 'event-planning', 'tpcProjectsEvents00', true, true, 5);
