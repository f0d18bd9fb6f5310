// Carries the cells of a field over when its type or options change. Where SQL can do it, one statement does;
// what needs the reading of a type (text → number, date, choices, people) goes through it in batches.
import { invalid } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { addColumn, dropColumn, retypeColumn } from './column.sql.ts';
import { carriedJson, fromJsonText, renameChoices, seedColumn, selectCarried, updateCarried, updateCells } from './convert-cells.sql.ts';
import { type Choice, choicesOf, colorAt } from './type/select.ts';
import type { CellContext, ColumnType } from './type.ts';
import { fieldTypeOf } from './types.ts';

const maxChoices = 5_000;
const batchSize = 5_000;

const isSelect = (field: FieldSchema): boolean => field.type === 'singleSelect' || field.type === 'multipleSelect';
const isText = (field: FieldSchema): boolean => field.type === 'singleLineText' || field.type === 'longText';

/** Choices whose name is another now, and (null) those that are gone. */
export const changedChoices = (from: FieldSchema, to: FieldSchema): Map<string, string | null> => {
  const after = choicesOf(to.options);
  const byId = new Map(after.map((choice) => [choice.id, choice.name]));
  const names = new Set(after.map((choice) => choice.name));
  const changed = new Map<string, string | null>();
  for (const { id, name } of choicesOf(from.options)) {
    const next = byId.get(id) ?? (names.has(name) ? name : null);
    if (next !== name) changed.set(name, next);
  }
  return changed;
};

/** Whether every cell stays as it is: then there is nothing to carry over, and nothing for the history. */
export const keepsCells = (from: FieldSchema, to: FieldSchema): boolean => {
  if (from.type !== to.type) return from.type === 'rating' && to.type === 'number';
  if (isSelect(to)) return changedChoices(from, to).size === 0;
  if (to.type === 'user') return from.options.isMultiple === to.options.isMultiple;
  return to.type !== 'rating' || Number(to.options.max) >= Number(from.options.max);
};

/** New choices for the texts that cells hold, until there are too many to be choices. */
export const growChoices = (field: FieldSchema): { choices: Choice[]; add: (name: string) => string } => {
  const choices = [...choicesOf(field.options)];
  const names = new Set(choices.map((choice) => choice.name));
  const add = (name: string): string => {
    if (names.has(name)) return name;
    if (choices.length >= maxChoices) {
      throw invalid({ path: 'type', message: `"${field.name}" has more than ${maxChoices} different texts; that is too many for choices`, expected: `at most ${maxChoices} different texts` });
    }
    names.add(name);
    choices.push({ id: newId('cho'), name, color: colorAt(choices.length) });
    return name;
  };
  return { choices, add };
};

/** Reads every carried cell with the new type. Equal cells are read once per batch. */
const readCells = async (tx: Tx, table: TableSchema, to: FieldSchema, context: CellContext): Promise<void> => {
  const type = fieldTypeOf(to.type);
  const read = (text: string): string | null => {
    const carried: unknown = JSON.parse(text);
    // A list of one is as good as what is in it, where the new type has no lists.
    const value = Array.isArray(carried) && carried.length === 1 && !type.isMultiple(to.options) ? carried[0] : carried;
    const strict = type.read(value, to, context);
    const stored = strict.ok ? strict.value : type.cast(value, to, context).value;
    return stored === null ? null : JSON.stringify(stored);
  };
  let after = '';
  for (;;) {
    const cells = await selectCarried(tx, table, to.dbFieldName, after, batchSize);
    if (cells.length === 0) return;
    const known = new Map<string, string | null>();
    for (const { value } of cells) if (!known.has(value)) known.set(value, read(value));
    const changed = cells.filter(({ value }) => known.get(value) !== value);
    await updateCarried(tx, table, to.dbFieldName, changed.map(({ id }) => id), changed.map(({ value }) => known.get(value) as string | null));
    after = (cells.at(-1) as { id: string }).id;
  }
};

/** Line breaks and tabs become spaces, and an empty text no cell at all: what writing the text would do. */
const oneLine = (column: Sql): Sql => sql`nullif(btrim(regexp_replace(${column}, '[\\r\\n\\t]+', ' ', 'g'), E' \\t\\r\\n'), '')`;

/** What can be done without reading cells one by one. Answers false when it cannot. */
const convertInSql = async (tx: Tx, table: TableSchema, from: FieldSchema, to: FieldSchema): Promise<boolean> => {
  const name = to.dbFieldName;
  const column = sql.id(name);
  const source = fieldTypeOf(from.type);
  if (isSelect(from) && isSelect(to)) {
    await renameChoices(tx, table, from, changedChoices(from, to));
    if (from.type === to.type) return true;
    if (to.type === 'multipleSelect') await retypeColumn(tx, table, name, 'jsonb', sql`case when ${column} is not null then jsonb_build_array(${column}) end`);
    else await retypeColumn(tx, table, name, 'text', sql`${column} ->> 0`);
    return true;
  }
  if (isText(to)) {
    if (source.column === 'text') {
      if (from.type === 'longText' && to.type === 'singleLineText') await updateCells(tx, table, name, oneLine(column), sql`${column} ~ '[\\r\\n\\t]'`);
    } else if (source.column === 'jsonb') {
      await retypeColumn(tx, table, name, 'text', sql`${column}::text`);
      await updateCells(tx, table, name, source.text(sql`${column}::jsonb`, from), sql`${column} is not null`);
    } else await retypeColumn(tx, table, name, 'text', source.text(column, from));
    return true;
  }
  if (to.type === 'rating' && source.column === 'double precision') {
    const max = Number(to.options.max);
    await updateCells(tx, table, name, sql`least(${max}::double precision, greatest(1, floor(${column} + 0.5)))`, sql`${column} is not null`);
    return true;
  }
  if (from.type === 'user' && to.type === 'user') {
    const [was, is] = [source.isMultiple(from.options), source.isMultiple(to.options)];
    if (was !== is) await updateCells(tx, table, name, is ? sql`jsonb_build_array(${column})` : sql`${column} -> 0`, sql`${column} is not null`);
    return true;
  }
  return false;
};

/**
 * Carries the cells over. `from` and `to` are the same field before and after; its column is already called
 * `to.dbFieldName` and has no constraints. Answers the field, with the choices that its cells asked for.
 */
export const convertCells = async (tx: Tx, table: TableSchema, from: FieldSchema, to: FieldSchema, context: Omit<CellContext, 'addChoice'>): Promise<FieldSchema> => {
  if (keepsCells(from, to)) return to;
  const [source, target] = [fieldTypeOf(from.type).column, fieldTypeOf(to.type).column];
  const name = to.dbFieldName;
  if (target === null) {
    if (source !== null) await dropColumn(tx, table, name);
    return to;
  }
  if (source !== null && (await convertInSql(tx, table, from, to))) return to;

  // A column of the old type cannot hold new cells, and a second column would use up one of the 1,600 that a
  // table can ever have: on the way the cells are JSON text.
  if (source === null) {
    await addColumn(tx, table, name, 'text');
    await seedColumn(tx, table, from, to);
  } else await retypeColumn(tx, table, name, 'text', carriedJson(from, to, sql.id(name)));
  const { choices, add } = growChoices(to);
  await readCells(tx, table, to, { ...context, addChoice: (_field, choice) => add(choice) });
  await retypeColumn(tx, table, name, target as ColumnType, fromJsonText(target, sql.id(name)));
  return isSelect(to) ? { ...to, options: { ...to.options, choices } } : to;
};
