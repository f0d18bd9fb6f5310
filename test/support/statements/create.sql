with quota as (
        update rowhouse.row_quota set used = used + $1::int
      where space_id = $2 and slot = pg_backend_pid() % 64 and used + $1::int <= cap and (select version from "base"."__table" where id = $3) = $4 and (select coalesce(sum(epoch), 0)::bigint from rowhouse.epochs where id in ($5, $2)) = $6
      returning 1
      ), ins as (
        insert into "base"."records" as r (__id, "Name", "Amount", __created_by)
        select "c0", "c1", "c2", $7::text
        from (select unnest((select $8::text[])) as "c0", unnest((select $9::text[])) as "c1", unnest((select $10::double precision[])) as "c2") i
        where exists (select from quota)
        returning r.__id, r.__auto_number, r.__created_time
      ), op as (
        insert into "base"."__operation" (public_id, table_id, kind, actor, token_id, client_id, row_delta, record_ids, notify, window_id, step, step_state)
      select o.public_id, $11, 'create', $7::text, $12::text, $13::text,
               o.delta, ($8::text[])[o.first : o.first + o.delta - 1], o.notify::jsonb, o.window_id, o.step, o.step_state
        from (select count(*) as n from ins offset 0) written, unnest((select $14::text[]), (select $15::int[]), (select $16::int[]), (select $17::text[]), (select $18::text[]), (select $19::text[]), (select $20::text[])) as o(public_id, first, delta, notify, window_id, step, step_state)
        where n > 0
      
      )
      select to_char(max(__created_time) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdTime", string_agg(__id, ',') as ids, string_agg(__auto_number::text, ',') as "autoNumbers",
                null as names, null as computed from ins
