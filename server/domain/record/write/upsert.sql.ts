// Which records of a table are meant by those of an upsert.
import { arrayLiteral } from '../../../db/array.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { many, type Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { columnOf, ownColumnOf } from '../../cell/types.ts';
import { seenRows } from '../read/read.sql.ts';
import type { Column } from './cells.ts';
import { type ArrayType, columnArray, hiddenArrays } from './insert.sql.ts';

/** Until the transaction ends no other upsert of the table looks for its records. */
export const lockUpserts = async (tx: Queryable, tableId: string): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('rowhouse upsert ' || ${tableId}::text, 0))`);
};

export interface Match {
  /** Place of the record in the request, from 0 on. */
  index: number;
  id: string;
  /** Its cells are those of the request already. */
  isSame: boolean;
}

/** `keys` are some of the columns, and given by every record. */
export const selectMatches = (
  tx: Queryable,
  sight: Sight,
  columns: readonly Column[],
  keys: readonly Column[],
): Promise<Match[]> => {
  const arrays = columns.flatMap((column) => [
    { values: columnArray(column), type: ownColumnOf(column.field) as ArrayType },
    ...(column.given === undefined ? [] : [{ values: arrayLiteral(column.given), type: 'boolean' as const }]),
  ]);
  const names = columns.flatMap(({ given }, at) => [
    sql.id(`c${at}`),
    ...(given === undefined ? [] : [sql.id(`g${at}`)]),
  ]);
  const value = (column: Column) => sql.id('i', `c${columns.indexOf(column)}`);
  const cell = ({ field }: Column) => columnOf(sight.byId.get(field.id) ?? field, 'r');
  const same = columns
    .filter((column) => !keys.includes(column))
    .map((column) => {
      const isEqual = sql`${cell(column)} is not distinct from ${value(column)}`;
      return column.given === undefined
        ? isEqual
        : sql`(not ${sql.id('i', `g${columns.indexOf(column)}`)} or ${isEqual})`;
    });
  return many<Match>(
    tx,
    sql`select (i.place - 1)::int as index, r.__id as id, ${same.length === 0 ? sql`true` : sql.join(same, ' and ')} as "isSame"
        from unnest(${hiddenArrays(arrays)}) with ordinality as i(${sql.join([...names, sql`place`])})
        join ${seenRows(sight)} r on ${sql.join(
          keys.map((column) => sql`${cell(column)} = ${value(column)}`),
          ' and ',
        )}
        order by i.place, r.__auto_number`,
  );
};
