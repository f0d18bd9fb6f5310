-- Who may read a file or the result of a job is decided when they ask, and never by knowing its name.
-- The form through which a visitor announced the file: only answers to that form can use it.
alter table rowhouse.files add column view_id text;
-- The job whose result the file is: it is for those whom that job still answers to.
alter table rowhouse.files add column job_id text;
-- {"type": "base", "id": "bse…", "actions": ["table|export"]}: what somebody has to be allowed to do, now, to see a job without a base.
alter table rowhouse.jobs add column needed_right jsonb;

update rowhouse.jobs set needed_right = jsonb_build_object('type', 'base', 'id', payload ->> 'baseId', 'actions', jsonb_build_array('base|update', 'table|export', 'record|read', 'table_record_history|read'))
  where kind = 'export-base' and payload ->> 'baseId' is not null;
update rowhouse.jobs set needed_right = jsonb_build_object('type', 'space', 'id', payload ->> 'spaceId', 'actions', jsonb_build_array('base|create'))
  where kind in ('import-base', 'import-from') and payload ->> 'spaceId' is not null;
update rowhouse.files f set job_id = j.id from rowhouse.jobs j
  where f.type = 9 and j.kind = 'export-base' and substring(j.result ->> 'url' from 'att[0-9A-Za-z]{21}') = f.token;
-- The address is made when somebody asks for the job.
update rowhouse.jobs set result = (result - 'url') || jsonb_build_object('fileToken', substring(result ->> 'url' from 'att[0-9A-Za-z]{21}'))
  where kind = 'export-base' and result ->> 'url' is not null;
