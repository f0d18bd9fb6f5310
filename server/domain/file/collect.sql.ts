// Which files a base still mentions: in cells, in its history, in what was deleted and can be brought back.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Bases that have mentioned files for longer than a day. */
export const selectOldBases = (db: Queryable): Promise<{ id: string }[]> =>
  many(
    db,
    sql`select distinct base_id as id from rowhouse.file_uses where used_time < now() - interval '1 day' order by 1`,
  );

/** What is moved from one place to the other while they are looked through, one after the other, is seen once at least. */
export const beginStableLook = async (tx: Queryable): Promise<void> => {
  await tx.query(sql`set transaction isolation level repeatable read`);
  await tx.query(
    sql`select set_config('statement_timeout', coalesce(current_setting('rowhouse.long_statement_timeout', true), '0'), true)`,
  );
};

interface Column {
  name: string;
  column: string;
  type: 'jsonb' | 'text';
}

/** Every column of the base that can hold a cell with files, or the text of one. */
export const selectPlaces = (tx: Queryable, baseId: string): Promise<Column[]> =>
  many(
    tx,
    sql`select c.relname as name, a.attname as column, format_type(a.atttypid, null) as type from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = to_regnamespace(quote_ident(${baseId}::text)) and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
          and (a.atttypid = 'jsonb'::regtype or (c.relname like '\\_\\_history\\_%' and a.attname in ('before', 'after')))`,
  );

export const selectMentioned = async (tx: Queryable, baseId: string): Promise<Set<string>> => {
  const tokens = new Set<string>();
  for (const { name, column } of await selectPlaces(tx, baseId)) {
    const cell = sql`${sql.id(column)}::text`;
    const rows = await many<{ token: string }>(
      tx,
      sql`select distinct found.match[1] as token from ${sql.id(baseId, name)}, regexp_matches(${cell}, '"table/(att[0-9A-Za-z]{21})', 'g') as found(match) where ${cell} like '%"table/att%'`,
    );
    for (const { token } of rows) tokens.add(token);
  }
  return tokens;
};

/** A cell that was written meanwhile has a new time: then PostgreSQL takes all of this back. */
export const deleteUsesBut = async (tx: Queryable, baseId: string, mentioned: readonly string[]): Promise<void> => {
  await tx.query(
    sql`delete from rowhouse.file_uses where base_id = ${baseId} and used_time < now() - interval '1 day' and token <> all(${mentioned}::text[])`,
  );
};
