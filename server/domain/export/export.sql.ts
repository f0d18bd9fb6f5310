// The CSV of a table. One statement makes all of it, in parts of about 256 kB, in a temporary table of its connection. So it
// shows one moment, and while the client reads, however slowly, it holds neither a lock on the table nor a snapshot.
import { epochSql } from '../../catalog/access.sql.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Held } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { whereSql } from '../query/filter.sql.ts';
import type { Standing } from '../../pipeline/guard.sql.ts';
import { orderSql, type SortKey } from '../query/sort-key.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';

export const partLength = 262_144;

/** What a spreadsheet would compute. Signed numbers and telephone numbers it only shows. */
const isFormula = (text: Sql): Sql => sql`(${text} ~ '^[=@\t\r]' or (${text} ~ '^[+-]' and ${text} !~ '^[+-][0-9 .,()/-]*$'))`;

const quoted = (text: Sql): Sql => sql`case when ${text} ~ '[",\r\n]' then '"' || replace(${text}, '"', '""') || '"' else ${text} end`;

/** Only what people type can be a formula: numbers and dates are written by the server. */
const textOf = (field: FieldSchema): Sql => {
  const type = cellTypeOf(field);
  const text = type.text(columnOf(field, 'r'), field);
  return type.kind === 'number' || type.kind === 'date' || type.kind === 'boolean' ? text : sql`(select case when ${isFormula(sql`t.t`)} then '''' || t.t else t.t end from (select ${text} as t) t)`;
};

// A function call takes 100 arguments at most.
const chunkSize = 90;

const joined = (parts: readonly Sql[]): Sql => {
  if (parts.length <= chunkSize) return sql`concat_ws(',', ${sql.join(parts)})`;
  const chunks: Sql[] = [];
  for (let at = 0; at < parts.length; at += chunkSize) chunks.push(joined(parts.slice(at, at + chunkSize)));
  return joined(chunks);
};

/** `a,"b,c",d`. The names are those of the cells of the subquery: a long expression is not worked out three times. */
const lineOf = (count: number): Sql =>
  joined(Array.from({ length: count }, (_, at) => sql.id(`c${at}`)).map((cell) => sql`coalesce(${quoted(cell)}, '')`));

export interface Exported {
  fields: readonly FieldSchema[];
  where: Sql | null;
  keys: readonly SortKey[];
}

/** Makes all parts. Fields that the caller does not see must not be among them: `fields` are those of a sight. */
export const makeParts = async (on: Held, sight: Sight, { fields, where, keys }: Exported): Promise<void> => {
  await on.query(sql`select set_config('statement_timeout', current_setting('rowhouse.long_statement_timeout'), false)`);
  await on.query(sql`create temporary table exported (part bigint primary key, lines text not null)`);
  const cells = sql.join(fields.filter(({ id }) => sight.byId.has(id)).map((field, at) => sql`${textOf(field)} as ${sql.id(`c${at}`)}`));
  await on.query(sql`
    insert into pg_temp.exported (part, lines)
    select part, string_agg(line, E'\r\n' order by n)
    from (select n, line, sum(octet_length(line)) over (order by n rows unbounded preceding) / ${sql.integer(partLength)} as part
          from (select n, ${lineOf(fields.length)} as line
                from (select row_number() over (order by ${orderSql(keys)}) as n, ${cells} from ${seenRows(sight)} r ${whereSql(where)}) cells) lines) parts
    group by part`);
};

export interface ExportedPart {
  part: string;
  lines: string;
  epoch: number;
}

/** The one after `part`, and the epoch as it is now. */
export const selectPart = async (on: Held, part: string, { userId, spaceId }: Standing): Promise<ExportedPart | undefined> =>
  (await on.query<ExportedPart>(sql`select part::text, lines, ${epochSql(sql`${userId}`, sql`${spaceId}`)} as epoch from pg_temp.exported where part > ${part}::bigint order by exported.part limit 1`))[0];
