// Pictures that were not measured when they came, and the cells that mention them without a size.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { selectPlaces } from './collect.sql.ts';
import type { FileFacts } from './file.ts';

export const selectUnmeasured = (
  db: Queryable,
  after: string,
  limit: number,
): Promise<Pick<FileFacts, 'token' | 'size' | 'mimetype'>[]> =>
  many(
    db,
    sql`select token, size, mimetype from rowhouse.files where is_unmeasured and not is_leaving and token > ${after} order by token limit ${limit}`,
  );

export const selectBasesOf = (
  db: Queryable,
  tokens: readonly string[],
): Promise<{ baseId: string; tokens: string[] }[]> =>
  many(
    db,
    sql`select base_id as "baseId", array_agg(token order by token) as tokens from rowhouse.file_uses where token = any(${tokens}::text[]) group by base_id order by base_id`,
  );

interface Mention {
  place: string;
  text: string;
}

const atOnce = 500;

/** Cells, and entries of the history, that name one of these files as one without a size. `changed` makes their new text. */
export const updateMentions = async (
  db: Queryable,
  baseId: string,
  tokens: readonly string[],
  changed: (text: string) => string,
  signal: AbortSignal,
): Promise<void> => {
  for (const { name, column, type } of await selectPlaces(db, baseId)) {
    const table = sql.id(baseId, name);
    const cell = sql`${sql.id(column)}::text`;
    for (;;) {
      signal.throwIfAborted();
      const found = await many<Mention>(
        db,
        sql`select ctid::text as place, ${cell} as text from ${table}
            where ${cell} like '%"table/att%' and exists (select from regexp_matches(${cell}, '"path": ?"table/(att[0-9A-Za-z]{21})"', 'g') as named(match) where named.match[1] = any(${tokens}::text[]))
            limit ${atOnce}`,
      );
      if (found.length === 0) break;
      // One that was written meanwhile is elsewhere or has another text, and is found again.
      await db.query(
        sql`update ${table} set ${sql.id(column)} = mended.after::${sql.raw(type)}
            from unnest(${found.map(({ place }) => place)}::tid[], ${found.map(({ text }) => text)}::text[], ${found.map(({ text }) => changed(text))}::text[]) as mended(place, before, after)
            where ${table}.ctid = mended.place and ${table}.${cell} = mended.before`,
      );
    }
  }
};
