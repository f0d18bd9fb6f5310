-- Which version the schema of a base has: see server/db/base-migrations/steps.ts. An older Rowhouse that runs beside a
-- newer one does not know the column: what it makes is of version 1.
alter table rowhouse.bases add column schema_version int not null default 1;
create index bases_schema_version on rowhouse.bases (schema_version);
