// What an event of a calendar file holds of a record, as JSON.
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { columnOf } from '../cell/types.ts';
import type { CalendarFields } from './calendar.ts';

const formattingOf = ({ options }: FieldSchema): { time: string; timeZone: string } => {
  const { time = 'None', timeZone = 'UTC' } = (options.formatting ?? {}) as { time?: string; timeZone?: string };
  return { time, timeZone };
};

export const timeZoneOf = (field: FieldSchema): string => formattingOf(field).timeZone;

const moment = (time: Sql): Sql => sql`to_char((${time}) at time zone 'UTC', 'YYYYMMDD"T"HH24MISS"Z"')`;

const dayIn = (field: FieldSchema): Sql =>
  sql`((${columnOf(field, 'r')}) at time zone ${sql.literal(timeZoneOf(field))})::date`;

const dayText = (day: Sql): Sql => sql`to_char(${day}, 'YYYYMMDD')`;

/** Both are days if the start is one. A day that ends what begins at a time ends at its last moment. */
const endSql = ({ start, end }: CalendarFields): Sql => {
  if (end === undefined)
    return formattingOf(start).time === 'None' ? dayText(sql`${dayIn(start)} + 1`) : sql`null::text`;
  if (formattingOf(start).time === 'None') return dayText(sql`greatest(${dayIn(end)}, ${dayIn(start)}) + 1`);
  if (formattingOf(end).time === 'None')
    return moment(sql`(${dayIn(end)} + 1)::timestamp at time zone ${sql.literal(timeZoneOf(end))}`);
  return moment(columnOf(end, 'r'));
};

/** The format has years of four digits, and an end that may be a day later. */
export const isInCalendar = ({ start, end }: CalendarFields): Sql => {
  const fits = (field: FieldSchema): Sql =>
    sql`${columnOf(field, 'r')} >= '0001-01-02' and ${columnOf(field, 'r')} < '9999-12-30'`;
  return end === undefined ? fits(start) : sql`${fits(start)} and (${columnOf(end, 'r')} is null or (${fits(end)}))`;
};

/** `texts`: the cells below the title, by the names of their fields. */
export const calendarJson = (
  fields: CalendarFields,
  title: Sql,
  texts: readonly { name: string; text: Sql }[],
): Sql => {
  const { start, duration } = fields;
  const lines = texts.map(({ name, text }) => sql`${`${name}: `}::text || nullif(${text}, '')`);
  return sql`json_build_object(
    'id', r.__id, 'created', ${moment(sql`r.__created_time`)}, 'changed', ${moment(sql`coalesce(r.__last_modified_time, r.__created_time)`)},
    'start', ${formattingOf(start).time === 'None' ? dayText(dayIn(start)) : moment(columnOf(start, 'r'))}, 'end', ${endSql(fields)}, 'days', ${duration === undefined ? sql`null::int` : columnOf(duration, 'r')}, 'title', ${title},
    'lines', ${lines.length === 0 ? sql`'[]'::json` : sql`to_json(array_remove(array[${sql.join(lines)}], null))`})::text`;
};
