// The SQL of the cells of computed fields, where some of the cells that they need are new and stand in other parts of the statement.
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { formulaSql, formulasOf, inOrder, isFormula } from '../cell/formula.sql.ts';
import { beyond, linkCell } from '../cell/linked.sql.ts';
import { writtenRows } from '../cell/level.sql.ts';
import { isLookedUp, lookedUpCell, lookupOf } from '../cell/looked-up.sql.ts';
import { columnName, columnOf } from '../cell/types.ts';
import type { DependentField } from './graph.ts';

/** Where the new cells of a field are: in rows with `id`, of the name `rows`, in the column `column`. Undefined: in the table. */
export type NewCells = (fieldId: string) => { rows: Sql; column: Sql } | undefined;

interface Row {
  alias: string;
  /** Rows with new cells that are to be joined to this row. */
  joined: Map<string, Sql>;
}

const cellAt = (row: Row, field: FieldSchema, cells: NewCells, key: string): Sql => {
  const found = cells(field.id);
  if (found === undefined) return columnOf(field, row.alias);
  const alias = sql.id(`${row.alias}_${key}`);
  row.joined.set(key, sql`left join ${found.rows} ${alias} on ${alias}.id = ${sql.id(row.alias, '__id')}`);
  return sql`case when ${alias}.id is not null then ${alias}.${found.column} else ${columnOf(field, row.alias)} end`;
};

interface Values {
  /** Joins to the row `u`, then laterals. */
  from: Sql;
  /** In the order of the fields. */
  values: Sql[];
}

/** The cells of some fields of the row `u` of their table. `stepOf` names the place of new cells. */
export const valuesOf = (
  dependents: readonly DependentField[],
  cells: NewCells,
  keyOf: (fieldId: string) => string,
): Values => {
  const own: Row = { alias: writtenRows.settled, joined: new Map() };
  const at = new Map(dependents.map(({ field }, index) => [field.id, sql.id(`l${index}`, 'v')]));
  const made = dependents.map(({ table, field, sources }): Sql => {
    if (isFormula(field)) {
      const formula = formulasOf(table.fields).get(field.id);
      if (formula == null) throw new Error(`the formula ${field.id} cannot be computed`);
      return formulaSql(formula, table.byId, {
        cell: (named) => at.get(named.id) ?? cellAt(own, named, cells, keyOf(named.id)),
        recordId: sql.id(writtenRows.settled, '__id'),
        system: (name) => sql.id(writtenRows.settled, name),
      });
    }
    const via = sources[0]?.via;
    if (via == null) throw new Error(`the field ${field.id} is not computed`);
    const far: Row = { alias: beyond(own.alias), joined: new Map() };
    if (isLookedUp(field)) {
      const lookup = lookupOf(field, table);
      if (lookup === undefined) throw new Error(`the field ${field.id} has nothing to show`);
      return lookedUpCell(lookup, (column) => sql.id(writtenRows.settled, column), {
        alias: far.alias,
        cell: (named) => cellAt(far, named, cells, keyOf(named.id)),
        joined: () => sql.join([...far.joined.values()], ' '),
      });
    }
    const title = cellAt(far, via.title, cells, keyOf(via.title.id));
    return linkCell(
      via,
      (column) => sql.id(writtenRows.settled, column),
      title,
      sql.join([...far.joined.values()], ' '),
      far.alias,
    );
  });
  const laterals = made.map((value, index) => sql`lateral (select ${value} as v offset 0) ${sql.id(`l${index}`)}`);
  return {
    from: sql`${sql.join(
      [...own.joined.values()].map((join) => sql` ${join}`),
      '',
    )} cross join ${inOrder(laterals)}`,
    values: dependents.map((_, index) => sql.id(`l${index}`, 'v')),
  };
};

/** Its column may hold anything until a job has filled it, so that nothing follows from what it holds. */
const isUnfilled = ({ field }: DependentField): boolean => field.computed?.state === 'settling';

/** Those whose cells others have to follow: whose column does not hold the value, or may not have held the one before. */
export const moves = (dependents: readonly DependentField[], values: readonly Sql[]): Sql =>
  dependents.some(isUnfilled) ? sql`true` : differs(dependents, values);

/** Those whose column does not hold the value. */
export const differs = (dependents: readonly DependentField[], values: readonly Sql[]): Sql =>
  sql`(${sql.join(
    dependents.map(({ field }, at) => sql`u.${columnName(field)} is distinct from ${values[at] as Sql}`),
    ' or ',
  )})`;
