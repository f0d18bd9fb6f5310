// Conditions of grants that compare with values of the reader become conditions with these values. The values are looked up where rights are made of grants.
// See docs/adr/0187-values-of-the-reader.md.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import { type ReaderValue, readerOperators, readerValueOf, readerValuesIn } from '@rowhouse/contract/reader-value.ts';
import { allOf, anyOf, type RecordCondition } from './condition.ts';
import type { TableGrants } from './matrix.sql.ts';

type Cells = readonly (string | number)[];

/** By the text of the value. */
export type ReaderCells = ReadonlyMap<string, Cells>;

const nothing: ReaderCells = new Map();
const nameOf = (value: ReaderValue): string => JSON.stringify(value);

/** What the grants ask of their reader, each once. */
export const readerValuesOf = (tables: readonly Pick<TableGrants, 'grants'>[]): ReaderValue[] => [
  ...new Map(
    tables
      .flatMap(({ grants }) => grants.flatMap(({ when, after }) => readerValuesIn([when, after])))
      .map((value) => [nameOf(value), value]),
  ).values(),
];

export const readerCells = (values: readonly ReaderValue[], cells: readonly Cells[]): ReaderCells =>
  new Map(values.map((value, at) => [nameOf(value), cells[at] ?? []]));

const plain = (condition: Condition): RecordCondition => ({ filter: { conjunction: 'and', filterSet: [condition] } });

/** One value is one that a new record can be given. */
const among = ({ fieldId, operator }: Condition, cells: Cells): RecordCondition => {
  const [only] = cells;
  if (!readerOperators.includes(operator) || only === undefined) return false;
  if (operator === 'is') return anyOf(cells.map((value) => plain({ fieldId, operator, value })));
  if (cells.length > 1) return plain({ fieldId, operator, value: [...cells] });
  return operator === 'isAnyOf'
    ? plain({ fieldId, operator: 'is', value: only })
    : plain({ fieldId, operator: 'hasAllOf', value: [only] });
};

/** Null or absent: no condition. Without a value of the reader a condition that asks for one holds for nothing. */
export const conditionOf = (filter: unknown, cells = nothing): RecordCondition => {
  if (filter === null || filter === undefined) return true;
  const { conjunction, filterSet } = filter as FilterGroup;
  if (readerValuesIn(filter).length === 0) return { filter: filter as FilterGroup };
  const parts = filterSet.map((item): RecordCondition => {
    if ('filterSet' in item) return conditionOf(item, cells);
    const value = readerValueOf(item.value);
    return value === undefined ? plain(item) : among(item, cells.get(nameOf(value)) ?? []);
  });
  return conjunction === 'and' ? allOf(parts) : anyOf(parts);
};
