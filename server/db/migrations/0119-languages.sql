-- The language that somebody has chosen; null: none.
alter table rowhouse.users add column lang text;
