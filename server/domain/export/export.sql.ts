// A table as a file. One statement makes all of it, in parts of about 256 kB, in a temporary table of its connection. So it
// shows one moment, and while the client reads, however slowly, it holds neither a lock on the table nor a snapshot.
import { epochSql } from '../../catalog/access.sql.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Held } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { namesAndPaths } from '../cell/kind/file.sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { whereSql } from '../query/filter.sql.ts';
import type { Standing } from '../../pipeline/guard.sql.ts';
import { orderSql, type SortKey } from '../query/sort-key.sql.ts';
import { fieldsJson } from '../record/read/json.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';
import { calendarJson, isInCalendar } from './calendar.sql.ts';
import type { CalendarFields } from './calendar.ts';

export const partLength = 262_144;

/** What a spreadsheet would compute. Signed numbers and telephone numbers it only shows. */
const isFormula = (text: Sql): Sql =>
  sql`(${text} ~ '^[=@\t\r]' or (${text} ~ '^[+-]' and ${text} !~ '^[+-][0-9 .,()/-]*$'))`;

const quoted = (text: Sql): Sql =>
  sql`case when ${text} ~ '[",\r\n]' then '"' || replace(${text}, '"', '""') || '"' else ${text} end`;

/** Only what people type can be a formula: numbers and dates are written by the server. */
const textOf = (field: FieldSchema, fileMark: string, isSafe: boolean): Sql => {
  const type = cellTypeOf(field);
  const column = columnOf(field, 'r');
  const text = type.kind === 'file' ? namesAndPaths(column, fileMark) : type.text(column, field);
  return !isSafe || type.kind === 'number' || type.kind === 'date' || type.kind === 'boolean'
    ? text
    : sql`(select case when ${isFormula(sql`t.t`)} then '''' || t.t else t.t end from (select ${text} as t) t)`;
};

// A function call takes 100 arguments at most.
const chunkSize = 90;

const joined = (parts: readonly Sql[], between: ',' | ''): Sql => {
  // Of somebody who sees records, and no field of them.
  if (parts.length === 0) return sql`''`;
  if (parts.length <= chunkSize) return sql`concat_ws(${sql.literal(between)}, ${sql.join(parts)})`;
  const chunks: Sql[] = [];
  for (let at = 0; at < parts.length; at += chunkSize) chunks.push(joined(parts.slice(at, at + chunkSize), between));
  return joined(chunks, between);
};

/** Of a cell of a sheet: at most as many characters as one takes, without those that XML has no way to write. */
const xmlText = (text: Sql): Sql =>
  sql`'<c t="inlineStr"><is><t xml:space="preserve">' || replace(replace(replace(regexp_replace(left(${text}, 32767), '[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]', '', 'g'), '&', '&amp;'), '<', '&lt;'), '>', '&gt;') || '</t></is></c>'`;

/** As a number, a date or a checkbox where the cell is one. Sheets have no days before 1900. */
const xmlCell = (field: FieldSchema, fileMark: string): Sql => {
  const type = cellTypeOf(field);
  const column = columnOf(field, 'r');
  if (type.isMultiple) return sql`coalesce(${xmlText(textOf(field, fileMark, false))}, '<c/>')`;
  if (type.kind === 'number') return sql`coalesce('<c><v>' || (${column})::text || '</v></c>', '<c/>')`;
  if (type.kind === 'boolean') return sql`case when ${column} then '<c t="b"><v>1</v></c>' else '<c/>' end`;
  if (type.kind === 'date') {
    const { time = 'None', timeZone = 'UTC' } = (field.options.formatting ?? {}) as {
      time?: string;
      timeZone?: string;
    };
    const day = sql`(extract(epoch from (${column}) at time zone ${sql.literal(timeZone)}) / 86400.0 + 25569)::numeric`;
    return sql`case when ${column} is null then '<c/>' when ${day} < 61 then ${xmlText(type.text(column, field))}
                    else ${sql.literal(`<c s="${time === 'None' ? 1 : 2}"><v>`)} || ${time === 'None' ? sql`floor(${day})` : sql`round(${day}, 9)`}::text || '</v></c>' end`;
  }
  return sql`coalesce(${xmlText(textOf(field, fileMark, false))}, '<c/>')`;
};

export type ExportFormat = 'csv' | 'xlsx' | 'jsonl' | 'ics';

interface Form {
  /** The cells of a record, by name. */
  cells: (
    sight: Sight,
    fields: readonly FieldSchema[],
    fileMark: string,
    calendar: CalendarFields | undefined,
  ) => Sql[];
  /** Of the cells of the subquery: a long expression is not worked out three times. */
  line: (cells: readonly Sql[]) => Sql;
  between: string;
}

const forms: Record<ExportFormat, Form> = {
  csv: {
    cells: (_sight, fields, fileMark) => fields.map((field) => textOf(field, fileMark, true)),
    line: (cells) =>
      joined(
        cells.map((cell) => sql`coalesce(${quoted(cell)}, '')`),
        ',',
      ),
    between: '\r\n',
  },
  xlsx: {
    cells: (_sight, fields, fileMark) => fields.map((field) => xmlCell(field, fileMark)),
    line: (cells) => sql`'<row>' || ${joined(cells, '')} || '</row>'`,
    between: '',
  },
  jsonl: {
    cells: (sight, fields) => [fieldsJson(sight, fields, 'r', 'name', 'json')],
    line: ([cell]) => cell as Sql,
    between: '\n',
  },
  ics: {
    cells(_sight, fields, fileMark, calendar) {
      const { start, end, duration, title } = calendar as CalendarFields;
      const texts = fields
        .filter((field) => ![start, end, duration, title].includes(field))
        .map((field) => ({ name: field.name, text: textOf(field, fileMark, false) }));
      return [
        calendarJson(
          { start, end, duration, title },
          title === undefined ? sql`null::text` : textOf(title, fileMark, false),
          texts,
        ),
      ];
    },
    line: ([cell]) => cell as Sql,
    between: '\n',
  },
};

interface Exported {
  fields: readonly FieldSchema[];
  where: Sql | null;
  keys: readonly SortKey[];
  format: ExportFormat;
  /** Stands before the path of every file, and nowhere else. */
  fileMark: string;
  /** Of `ics`. */
  calendar?: CalendarFields | undefined;
}

/** Makes all parts. Fields that the caller does not see must not be among them: `fields` are those of a sight. */
export const makeParts = async (
  on: Held,
  sight: Sight,
  { fields, where, keys, format, fileMark, calendar }: Exported,
): Promise<void> => {
  await on.query(
    sql`select set_config('statement_timeout', current_setting('rowhouse.long_statement_timeout'), false)`,
  );
  await on.query(sql`create temporary table exported (part bigint primary key, lines text not null)`);
  const { cells, line, between } = forms[format];
  const made = cells(
    sight,
    fields.filter(({ id }) => sight.byId.has(id)),
    fileMark,
    calendar,
  );
  const named = sql.join([
    sql`row_number() over (order by ${orderSql(keys)}) as n`,
    ...made.map((cell, at) => sql`${cell} as ${sql.id(`c${at}`)}`),
  ]);
  await on.query(sql`
    insert into pg_temp.exported (part, lines)
    select part, string_agg(line, ${between}::text order by n)
    from (select n, line, sum(octet_length(line)) over (order by n rows unbounded preceding) / ${sql.integer(partLength)} as part
          from (select n, ${line(made.map((_, at) => sql.id(`c${at}`)))} as line
                from (select ${named} from ${seenRows(sight)} r ${whereSql(where, calendar === undefined ? null : isInCalendar(calendar))}) cells) lines) parts
    group by part`);
};

interface ExportedPart {
  part: string;
  lines: string;
  epoch: number;
}

/** The one after `part`, and the epoch as it is now. */
export const selectPart = async (
  on: Held,
  part: string,
  { userId, spaceId }: Standing,
): Promise<ExportedPart | undefined> =>
  (
    await on.query<ExportedPart>(
      sql`select part::text, lines, ${epochSql(sql`${userId}`, sql`${spaceId}`)} as epoch from pg_temp.exported where part > ${part}::bigint order by exported.part limit 1`,
    )
  )[0];
