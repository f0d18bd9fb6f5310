-- Fields that show cells of linked records: lookups, rollups, counts. See docs/adr/0039-lookups.md.
alter table rowhouse.fields add column is_lookup boolean not null default false, add column lookup_options jsonb;
