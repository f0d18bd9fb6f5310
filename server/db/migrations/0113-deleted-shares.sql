-- The share of a view in the trash, which goes with it and comes back with it: its row, and who has answered a form that takes one answer per person.
create table rowhouse.deleted_shares (
  view_id text primary key references rowhouse.deleted_views on delete cascade,
  share jsonb not null,
  answers jsonb not null
);
