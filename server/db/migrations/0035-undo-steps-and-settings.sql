-- What a person did in one window, newest last: what undo and redo go through. Each step names the operations that it was;
-- once it is undone, those that undid it. It may be lost with a crash: then there is nothing to undo.
create unlogged table rowhouse.undo_steps (
  id bigint generated always as identity primary key,
  user_id text not null references rowhouse.users on delete cascade,
  table_id text not null references rowhouse.tables on delete cascade,
  window_id text not null,
  -- In the order they were done.
  operation_ids text[] not null,
  is_undone boolean not null default false,
  time timestamptz not null default clock_timestamp()
);
create index undo_steps_window on rowhouse.undo_steps (user_id, table_id, window_id, is_undone, id);
create index undo_steps_time on rowhouse.undo_steps (time);
create index undo_steps_table on rowhouse.undo_steps (table_id);

-- What administrators decide for the whole instance. One row.
create table rowhouse.settings (
  singleton boolean primary key default true check (singleton),
  brand_name text,
  disallow_sign_up boolean not null default false,
  disallow_space_creation boolean not null default false,
  disallow_space_invitation boolean not null default false
);
insert into rowhouse.settings default values;
