-- The links of a base are looked up with every table that is loaded. See docs/adr/0038-links.md.
create index fields_linking on rowhouse.fields (table_id) where options ? 'foreignTableId';
