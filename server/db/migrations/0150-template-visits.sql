-- How often a template was looked at, as clients of Teable count it.
alter table rowhouse.templates add column visit_count bigint not null default 0;
