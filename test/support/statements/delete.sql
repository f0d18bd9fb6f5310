with quota as (
          update rowhouse.row_quota set used = used - $1::int
      where space_id = $2 and slot = pg_backend_pid() % 64 and (select version from "base"."__table" where id = $3) = $4 and (select coalesce(sum(epoch), 0)::bigint from rowhouse.epochs where id in ($5, $6)) = $7 and (select count(*) from "base"."records" r where __id = any((select $8::text[])::text[]) ) = $9
      returning 1
        ), del as (
          delete from "base"."records" p
          using (select __id as old_id from "base"."records" r where __id = any((select $8::text[])::text[])  order by __id for update) o
          where o.old_id = p.__id and exists (select from quota)
          returning p.*
        ), op as (
          insert into "base"."__operation" (public_id, table_id, kind, actor, token_id, client_id, row_delta, record_ids, notify, window_id, step, step_state)
      select $10, $11, $12, $13, $14::text, $15::text, -(select count(*)::int from del), $8::text[], $16::jsonb,
      $17::text, $18::text, $19::text
      from (select (select case when count(*) = $20 * (select count(*) from quota) then count(*) else rowhouse.take_back(count(*)) end from del) as n offset 0) written where n > 0
      returning id, time
        ), shown as materialized (
          select del.__id as id, del.__auto_number as number, '{"id":"' || "del"."__id" || '"' || coalesce(',"name":' || rowhouse.json_text("del"."Name"), ',"name":""') || ',"fields":' || '{' || concat_ws(',', '"field1":' || rowhouse.json_text("del"."Name"), '"field2":' || "del"."Amount"::text) || '}'
    || ',"autoNumber":' || "del"."__auto_number"::text
    || ',"createdTime":' || rowhouse.json_time("del"."__created_time") || ',"createdBy":"' || "del"."__created_by" || '"'
    || coalesce(',"lastModifiedTime":' || rowhouse.json_time("del"."__last_modified_time"), '')
    || coalesce(',"lastModifiedBy":"' || "del"."__last_modified_by" || '"', '') as json, json_build_object('version', "del"."__version", 'createdTime', "del"."__created_time", 'lastModifiedTime', "del"."__last_modified_time",
    'positions', '{}'::jsonb, 'hidden', ('{}')::json)::text as rest from del
        ), kept as (
          insert into "base"."__history_table" (op_id, seq, record_id, meta_id, before)
      select -op.id, $21::int + row_number() over (order by shown.number), shown.id, 0, shown.json || ',"row":' || shown.rest || '}' from shown, op
        )
        select id, json as json from shown
