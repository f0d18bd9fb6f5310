-- Ends a statement whose answer would be larger than a process can take: a text of more than 512 MiB ends Node itself. Stable and
-- with an argument, so that the planner neither evaluates it beforehand nor leaves it out.
create function rowhouse.answer_too_large(bytes bigint) returns text language plpgsql stable as $$
begin
  raise exception 'the answer has more than % bytes', bytes using errcode = 'RH002';
end
$$;
