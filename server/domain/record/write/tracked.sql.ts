// Times and authors of the last change of chosen fields, in the statement that changes a record. Tables without such fields get nothing added.
import type { FieldSchema, TableSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { trackedIn } from '../../cell/type/system.ts';
import { cellTypeOf, columnName, fieldTypeOf, ownColumnOf } from '../../cell/types.ts';
import type { Column } from './cells.ts';

const isTracking = (field: FieldSchema): boolean =>
  fieldTypeOf(field).hasOwnColumn !== undefined && ownColumnOf(field) !== null;

export const trackingFields = ({ fields }: Pick<TableSchema, 'fields'>): FieldSchema[] => fields.filter(isTracking);

/** `given` says, by place in the columns, which records a column is written in; the row is `p`, the moment of the write `w.moment`. */
export const trackedSets = (
  table: TableSchema,
  columns: readonly Column[],
  given: (at: number) => Sql,
  actor: unknown,
): Sql[] =>
  trackingFields(table).flatMap((field) => {
    const tracked = new Set(trackedIn(field.options));
    const written = columns.flatMap((column, at) => (tracked.has(column.field.id) ? [{ column, at }] : []));
    if (written.length === 0) return [];
    const name = columnName(field);
    const value = cellTypeOf(field).kind === 'date' ? sql`w.moment` : sql`${actor}::text`;
    if (written.some(({ column }) => column.given === undefined)) return [sql`${name} = ${value}`];
    return [
      sql`${name} = case when ${sql.join(
        written.map(({ at }) => given(at)),
        ' or ',
      )} then ${value} else p.${name} end`,
    ];
  });
