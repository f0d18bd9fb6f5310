-- What a formula gives and where its cells are read. See docs/adr/0036-formula-fields.md.
alter table rowhouse.fields add column computed jsonb;
-- Those whose columns are being filled, for the job that looks for what was left behind.
create index fields_settling on rowhouse.fields (table_id) where computed ->> 'state' = 'settling';
