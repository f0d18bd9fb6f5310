with upd as (
          update "base"."records" p
          set "Amount" = i."c0", __last_modified_time = greatest(statement_timestamp(), p.__last_modified_time), __last_modified_by = $1, __version = p.__version + 1
          from (select unnest((select $2::text[])) as "id", unnest((select $3::double precision[])) as "c0") i,
               (select __id as old_id, "Amount" as "__o0" from "base"."records" r where __id = any((select $2::text[])::text[])   order by __id for update) o
          where p.__id = i.id and o.old_id = p.__id
            and (select version from "base"."__table" where id = $4) = $5 and (select coalesce(sum(epoch), 0)::bigint from rowhouse.epochs where id in ($6, $7)) = $8
            and (select count(*) from "base"."records" r where __id = any((select $2::text[])::text[])  ) = $9::int
          returning p.*, "o"."__o0"
        ), op as (
          insert into "base"."__operation" (public_id, table_id, kind, actor, token_id, client_id, row_delta, record_ids, notify, window_id, step, step_state)
      select $10, $11, $12, $1, $13::text, $14::text, 0, $2::text[], $15::jsonb,
      $16::text, $17::text, $18::text
      from (select (select case when count(*) in (0, $9::int) then count(*) else rowhouse.take_back(count(*)) end from upd) as n offset 0) written where n > 0
      returning id, time
        ), his as (insert into "base"."__history_table" (op_id, seq, record_id, meta_id, before, after)
    select op.id, row_number() over (), upd.__id, cell.meta_id, cell.before, cell.after
    from op, upd, lateral (values (1, $19::int, upd."__o0" is distinct from "upd"."Amount", upd."__o0"::text, "upd"."Amount"::text)) as cell(place, meta_id, changed, before, after)
    where cell.changed)
        select upd.__id as id, upd.__version as version, case when (sum(coalesce(octet_length("upd"."Name"), 0)) over ())::bigint > 12582912 then rowhouse.answer_too_large((sum(coalesce(octet_length("upd"."Name"), 0)) over ())::bigint) else '{"id":"' || "upd"."__id" || '"' || coalesce(',"name":' || rowhouse.json_text("upd"."Name"), ',"name":""') || ',"fields":' || '{' || concat_ws(',', '"Name":' || rowhouse.json_text("upd"."Name"), '"Amount":' || "upd"."Amount"::text) || '}'
    || ',"autoNumber":' || "upd"."__auto_number"::text
    || ',"createdTime":' || rowhouse.json_time("upd"."__created_time") || ',"createdBy":"' || "upd"."__created_by" || '"'
    || coalesce(',"lastModifiedTime":' || rowhouse.json_time("upd"."__last_modified_time"), '')
    || coalesce(',"lastModifiedBy":"' || "upd"."__last_modified_by" || '"', '') end as json from upd
