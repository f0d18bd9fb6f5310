-- What searches in large tables go by: which parts of words stand in which neighbouring records. Nothing of it is in a backup, since it is made again when somebody searches.
-- See docs/adr/0211-searching-by-parts-of-words.md.
create schema rowhouse_search;

create table rowhouse_search.state (
  table_id text primary key references rowhouse.tables on delete cascade,
  base_id text not null,
  -- A segment is 2^shift records, by their numbers.
  shift int not null,
  -- Per field what its texts are: a search goes by the index as far as that is what its fields are now. Empty while it is being made.
  coverage jsonb not null default '{}',
  -- Grows when cells change in a way that no trigger sees. What was read before does not count then.
  epoch int not null default 0,
  used_time timestamptz not null default now(),
  -- Since when no search may begin to use it: it goes when those that have begun are over.
  closed_time timestamptz
);

-- Segments whose records have been written since they were looked at. A row for each write: nobody waits for anybody else.
create table rowhouse_search.dirty (table_id text not null, segment int not null);
create index on rowhouse_search.dirty (table_id, segment);

create function rowhouse_search.mark() returns trigger language plpgsql as $$
begin
  insert into rowhouse_search.dirty (table_id, segment)
  select tg_argv[0], segment from (select distinct (__auto_number >> tg_argv[1]::int)::int as segment from written) s;
  return null;
end $$;
