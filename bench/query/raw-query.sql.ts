// The statements of the limit for finding records: written by hand for one question and one table.
import { page, type RawTable } from '../process/raw.sql.ts';

const column = (table: RawTable, name: string): string =>
  `"${table.fields.find((field) => field.name === name)?.dbFieldName}"`;

const place = ({ baseId, dbTableName }: RawTable): string => `"${baseId}"."${dbTableName}"`;

export const rawQueries = {
  filter: (table: RawTable): string => page(table, '__auto_number', `${column(table, 'Number 1')} > 42000`),
  sort: (table: RawTable): string => page(table, `${column(table, 'Text 1')} nulls first, __auto_number`),
  group: (table: RawTable): string => {
    const status = `array_position('{Planned,"In progress","In review",Done,Dropped}'::text[], ${column(table, 'Status 1')})`;
    const where = `${column(table, 'Number 1')} > 21000`;
    return `select (${page(table, `${status} nulls first, ${column(table, 'Text 1')} nulls first, __auto_number`, where)}),
      (select json_agg(json_build_array(status, count) order by at nulls first) from (select ${column(table, 'Status 1')} as status, min(${status}) as at, count(*) as count from ${place(table)} where ${where} group by 1) g)`;
  },
  search: (table: RawTable): string => page(table, '__auto_number', `${column(table, 'Text 1')} ilike '%54321%'`),
  count: (table: RawTable): string => `select count(*) from ${place(table)}`,
};

/** A large table at once: no API could in an acceptable time. */
export const fillSql = (table: RawTable, count: number, userId: string): string => {
  const words = `(array['harbour','lantern','meadow','granite','orchard','copper','willow','signal'])`;
  const value = (type: string, at: number): string => {
    const mix = `(hashint4(n + ${at}) & 1048575)`;
    switch (type) {
      case 'singleLineText':
        return `${words}[(${mix} & 7) + 1] || ' ' || n`;
      case 'longText':
        return `'The ' || ${words}[(${mix} & 7) + 1] || ' by the harbour, number ' || n || ' of many.'`;
      case 'number':
        return `${mix}::float8 / 100`;
      case 'rating':
        return `${mix} % 5 + 1`;
      case 'checkbox':
        return `case when ${mix} % 2 = 0 then true end`;
      case 'date':
        return `timestamptz '2024-01-01' + ${mix} * interval '1 minute'`;
      case 'singleSelect':
        return `(array['Planned','In progress','In review','Done','Dropped'])[${mix} % 5 + 1]`;
      case 'multipleSelect':
        return `jsonb_build_array((array['Planned','In progress'])[${mix} % 2 + 1], 'Done')`;
      default:
        return 'null::jsonb';
    }
  };
  return `insert into ${place(table)} (__id, __created_by, ${table.fields.map(({ dbFieldName }) => `"${dbFieldName}"`).join(', ')})
    select 'rec' || lpad(n::text, 16, '0'), '${userId}', ${table.fields.map(({ type }, at) => value(type, at)).join(', ')} from generate_series(1, ${count}) n`;
};
