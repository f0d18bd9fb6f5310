with quota as (
        update rowhouse.row_quota set used = used + $1::int
      where space_id = $2 and slot = pg_backend_pid() % 64 and used + $1::int <= cap and (select version from "base"."__table" where id = $3) = $4 and (select coalesce(sum(epoch), 0)::bigint from rowhouse.epochs where id in ($5, $2)) = $6
      returning 1
      ), ins as (
        insert into "base"."records" as r (__id, "Name", "Told", "__fk_field Of", "Of", "Seen", __created_by)
        select "c0", "c1", nullif((coalesce(("i"."__v1" ->> 'title'), '') || coalesce(case when "i"."__v2" = 0 then '0' when abs("i"."__v2") >= 1e-4 and abs("i"."__v2") < 1e15 then "i"."__v2"::text else rowhouse.number_text("i"."__v2") end, ''))::varchar(100000)::text, ''), "i"."k0", "i"."__v1", "i"."__v2", $7::text
        from (select i.*, (select jsonb_strip_nulls(jsonb_build_object('id', "is"."__id", 'title', left("is"."Name", 1000))) from "base"."parents" "is"  where "is"."__id" = "i"."k0") as "__v1", (select "is"."Amount" from "base"."parents" "is"  where "is"."__id" = "i"."k0") as "__v2" from (select unnest((select $8::text[])) as "c0", unnest((select $9::text[])) as "c1", unnest((select $10::text[])) as "k0") i offset 0) i
        where exists (select from quota) and clock_timestamp() is not null
        returning r.__id, r.__auto_number, r.__created_time, "r"."Of"::text as "__k0", "r"."Seen"::text as "__k1", "r"."Told" as "__k2"
      ), op as (
        insert into "base"."__operation" (public_id, table_id, kind, actor, token_id, client_id, row_delta, record_ids, notify, window_id, step, step_state)
      select o.public_id, $11, 'create', $7::text, $12::text, $13::text,
               o.delta, ($8::text[])[o.first : o.first + o.delta - 1], o.notify::jsonb, o.window_id, o.step, o.step_state
        from (select count(*) as n from ins offset 0) written, unnest((select $14::text[]), (select $15::int[]), (select $16::int[]), (select $17::text[]), (select $18::text[]), (select $19::text[]), (select $20::text[])) as o(public_id, first, delta, notify, window_id, step, step_state)
        where n > 0
      returning id
      )
      select to_char(max(__created_time) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdTime", string_agg(__id, ',') as ids, string_agg(__auto_number::text, ',') as "autoNumbers",
                null as names, string_agg(coalesce("__k0", ''), '
') as "__k0", string_agg(coalesce("__k1", ''), '
') as "__k1", string_agg(coalesce("__k2", ''), $21::text) as "__k2", case when coalesce(sum(octet_length("__k0")), 0) + coalesce(sum(octet_length("__k2")), 0) > 12582912 then rowhouse.answer_too_large(coalesce(sum(octet_length("__k0")), 0) + coalesce(sum(octet_length("__k2")), 0)) else null end as __too_much, (select id::text from op) as "opId" from ins
