// How cells get from one type to another, for the types that do it the common way.
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { type CellType, type ConversionStep, type FieldType, forStorage } from '../type.ts';

/** A change of options touches no cell, and cells of every other type are read one by one. */
export const keepSameType: FieldType['convert'] = (from, _source, to): ConversionStep[] | null =>
  from.type === to.type ? [] : null;

/** As the API shows them. A checkbox is neither a date nor anything else but yes and no. */
export const carryPlain = (from: FieldSchema, source: CellType, column: Sql): Sql =>
  source.kind === 'boolean' ? sql`null::text` : source.json(column, from, forStorage);

/** As people see them. Lists are carried item by item, and people with their id. */
export const carryText = (from: FieldSchema, source: CellType, column: Sql): Sql =>
  source.dbFieldType === 'JSON'
    ? source.json(column, from, forStorage)
    : sql`to_json(${source.text(column, from)})::text`;

/** Of the values of a column. */
export const textsIn = (values: Iterable<unknown>): string[] =>
  [...values].filter((value) => typeof value === 'string');
