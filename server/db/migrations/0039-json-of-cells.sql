-- The JSON of a text and of a time, which pages of records are made of. `to_json` looks up how to write its argument for each value,
-- `json_scalar` (PostgreSQL 17) once for the statement: 0.2 instead of 0.4 microseconds for a text. Both functions are replaced by
-- their bodies when a statement is planned.
do $$
declare
  json_of constant text := case when current_setting('server_version_num')::int >= 170000 then 'json_scalar' else 'to_json' end;
begin
  execute format('create function rowhouse.json_text(value text) returns text language sql stable parallel safe return %s(value)::text', json_of);
  -- ISO 8601 with three digits behind the second. JSON has as many as there are without zeros at the end, so the time is given a
  -- microsecond more than whole milliseconds, which is cut off again: half of what to_char takes.
  execute format($body$create function rowhouse.json_time(value timestamptz) returns text language sql stable parallel safe
    return left(%s(date_bin(interval '1 millisecond', value at time zone interval '0', timestamp '0001-01-01') + interval '1 microsecond')::text, -4) || 'Z"'$body$, json_of);
end $$;
