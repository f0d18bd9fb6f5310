-- Whose turn a job takes: slots are given to spaces by turns. Empty: the server's own.
alter table rowhouse.jobs add column space_id text not null default '';
update rowhouse.jobs j set space_id = b.space_id from rowhouse.bases b where b.id = j.base_id and j.state in ('waiting', 'running');
create index jobs_turn on rowhouse.jobs (kind, space_id, due_time, seq) where state in ('waiting', 'running');
