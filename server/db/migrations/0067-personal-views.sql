-- A personal view is changed by its owner alone; null: by everyone who may change views.
alter table rowhouse.views add column owner_id text;
