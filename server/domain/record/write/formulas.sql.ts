// Formulas in the statement that writes their record. Tables without formulas get nothing added.
import type { FieldSchema, TableSchema } from '../../../catalog/table.ts';
import { allMadeFirst, columnThere } from '../../../db/cluster-form.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { emptyCell, formulasOf, laterals, levels, reachedFrom, stepsTo } from '../../cell/formula.sql.ts';
import { columnName, systemColumnOf } from '../../cell/types.ts';

/** What stands in `from` for them, and what they give. */
interface Computation {
  from: Sql;
  columns: readonly { name: Sql; value: Sql }[];
}

/** For rows `i` that are inserted. */
const allFirst = ({ from, columns }: Computation): Computation => {
  const made = sql.join(columns.map(({ value }, at) => sql`${value} as ${sql.id(`__w${at}`)}`));
  return {
    from: allMadeFirst(from, made),
    columns: columns.map(({ name, value }, at) => ({ name, value: columnThere(value, `__w${at}`) })),
  };
};

const hasColumn = ({ computed }: FieldSchema): boolean =>
  computed != null && (computed.state === 'settled' || computed.state === 'settling');

const computationOf = (
  table: TableSchema,
  wanted: readonly FieldSchema[],
  isOne: (field: FieldSchema) => boolean,
  cell: (field: FieldSchema) => Sql,
  recordId: Sql,
): Computation | null => {
  const steps = stepsTo(formulasOf(table.fields), wanted, isOne);
  if (steps.length === 0) return null;
  const { from, value } = laterals(steps, table.byId, { cell, recordId, system: () => sql`null` });
  return {
    from: sql` cross join ${from}`,
    columns: steps.map(({ field }) => ({ name: columnName(field), value: value(field) })),
  };
};

/** Of new records: every formula that has a column. `cell`: what is written into a field; undefined where nothing is. */
export const computedOnInsert = (
  table: TableSchema,
  cell: (field: FieldSchema) => Sql | undefined,
  recordId: Sql,
): Computation | null => {
  const wanted = table.fields.filter(hasColumn);
  return wanted.length === 0
    ? null
    : computationOf(table, wanted, hasColumn, (field) => cell(field) ?? emptyCell(field), recordId);
};

/** The same for rows `i` that are read from `rows`: `from` stands in its place. */
export const computedWithRows = (
  table: TableSchema,
  cell: (field: FieldSchema) => Sql | undefined,
  recordId: Sql,
  rows: Sql,
): Computation | null => {
  const steps = stepsTo(formulasOf(table.fields), table.fields.filter(hasColumn), hasColumn);
  if (steps.length === 0) return null;
  const { from, value } = levels(
    steps,
    table.byId,
    { cell: (field) => cell(field) ?? emptyCell(field), recordId, system: () => sql`null` },
    rows,
  );
  return allFirst({ from, columns: steps.map(({ field }) => ({ name: columnName(field), value: value(field) })) });
};

interface UpdateComputation extends Computation {
  /** Cells of the record as it was that they need: columns of the row before, under these names. */
  needed: readonly { column: Sql; name: string }[];
}

/** Of changed records: what depends on the written fields. Others that it needs and whose columns are not filled yet are computed with it. */
export const computedOnUpdate = (
  table: TableSchema,
  written: ReadonlyMap<string, (before: Sql) => Sql>,
  before: string,
  recordId: Sql,
): UpdateComputation | null => {
  const stored = table.fields.filter(hasColumn);
  if (stored.length === 0 || written.size === 0) return null;
  const reached = reachedFrom(formulasOf(table.fields), written.keys());
  const needed = new Map<string, { column: Sql; name: string }>();
  const cell = (field: FieldSchema): Sql => {
    // Its column still holds what it showed when it could.
    if (field.computed?.state === 'broken') return emptyCell(field);
    const known = needed.get(field.id) ?? {
      column: sql.id(systemColumnOf(field) ?? field.dbFieldName),
      name: `__n${needed.size}`,
    };
    needed.set(field.id, known);
    const old = sql.id(before, known.name);
    return written.get(field.id)?.(old) ?? old;
  };
  const wanted = stored.filter(({ id }) => reached.has(id));
  const isOne = (field: FieldSchema): boolean =>
    hasColumn(field) && (reached.has(field.id) || field.computed?.state === 'settling');
  const computation = computationOf(table, wanted, isOne, cell, recordId);
  return computation === null ? null : { ...computation, needed: [...needed.values()] };
};
