// What is pasted, as rows of values, and where it comes to lie.
import { readDelimited } from '@rowhouse/contract/delimited.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { type CellValueType, fieldTypes, type NewField } from '@rowhouse/contract/field.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { createPause } from '../../../work/slices.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import type { Pair, RangeType } from './ranges.ts';
import { maxCells } from './select.ts';

/** A field that a column was copied from, as the client was told of it. */
export type Header = { name: string; type: string } & Record<string, unknown>;

/** Also cells that no column takes count: what is refused in the end is not read either. */
export const refuseTooMany = (cells: number): void => {
  if (cells > maxCells)
    throw invalid({
      path: 'content',
      message: `Exceed max paste cells ${maxCells}`,
      expected: `at most ${maxCells} cells`,
    });
};

/** In slices: 19 MB of lines, or of quotes, would stop the process for more than a tenth of a second. */
const readText = async (content: string): Promise<string[][]> => {
  const pause = createPause();
  const steps = readDelimited(content, maxCells);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
};

/** Rows of one width. Counted before they are made so: one long row beside many short ones would take the memory of their product. */
export const readContent = async (content: string | readonly (readonly unknown[])[]): Promise<unknown[][]> => {
  const rows = typeof content === 'string' ? await readText(content) : content;
  if (rows.length === 0)
    throw invalid({ path: 'content', message: 'There is nothing to paste', expected: 'at least one row' });
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 1);
  refuseTooMany(width * rows.length);
  return rows.map((row) =>
    row.length === width ? (row as unknown[]) : [...row, ...new Array<unknown>(width - row.length).fill('')],
  );
};

export interface Rectangle {
  column: number;
  row: number;
  width: number;
  height: number;
}

/** Of rows and columns the first range counts. `size` is how many columns and rows there are. */
export const targetOf = (
  [first, second]: readonly Pair[],
  type: RangeType,
  size: { columns: number; rows: number },
): Rectangle => {
  const [from, to] = first as Pair;
  if (type === 'columns')
    return { column: Math.min(from, to), row: 0, width: Math.abs(to - from) + 1, height: size.rows };
  if (type === 'rows')
    return { column: 0, row: Math.min(from, to), width: size.columns, height: Math.abs(to - from) + 1 };
  const [right, bottom] = second as Pair;
  return {
    column: Math.min(from, right),
    row: Math.min(to, bottom),
    width: Math.abs(right - from) + 1,
    height: Math.abs(bottom - to) + 1,
  };
};

/** How often the content is laid beside and below itself: to fill the target when it fits, else once. */
export const repeatsIn = (
  { width, height }: Rectangle,
  content: readonly (readonly unknown[])[],
): { across: number; down: number } => {
  const own = { width: content[0]?.length ?? 1, height: content.length };
  const fits = width % own.width === 0 && height % own.height === 0 && width >= own.width && height >= own.height;
  return fits ? { across: width / own.width, down: height / own.height } : { across: 1, down: 1 };
};

const known = new Set<string>(fieldTypes);

const byValue: Record<CellValueType, NewField['type']> = {
  string: 'singleLineText',
  number: 'number',
  boolean: 'checkbox',
  dateTime: 'date',
};

/** The field that a column beyond the last one becomes. What is computed there is plain here. */
export const fieldFrom = (header: Header | undefined): NewField => {
  if (header === undefined) return { type: 'singleLineText' };
  const { name, type, options, cellValueType, isLookup, isMultipleCellValue, description } = header as Header & {
    options?: Record<string, unknown>;
    cellValueType?: CellValueType;
    isLookup?: boolean;
    isMultipleCellValue?: boolean;
    description?: unknown;
  };
  const common = { name, ...(typeof description === 'string' ? { description } : {}) };
  if (type === 'createdBy' || type === 'lastModifiedBy') return { ...common, type: 'user' };
  if (type === 'singleSelect' && isMultipleCellValue === true)
    return { ...common, type: 'multipleSelect', options: { choices: options?.choices ?? [] } };
  const isPlain =
    known.has(type) &&
    type !== 'link' &&
    !fieldTypeOf(type).isComputed &&
    (isLookup !== true || isMultipleCellValue !== true);
  if (isPlain) return { ...common, type: type as NewField['type'], ...(options === undefined ? {} : { options }) };
  const plain =
    isMultipleCellValue === true || type === 'link'
      ? 'singleLineText'
      : (byValue[cellValueType ?? 'string'] ?? 'singleLineText');
  const kept =
    plain === 'number' || plain === 'date'
      ? Object.fromEntries(
          ['formatting', ...(plain === 'number' ? ['showAs'] : [])].flatMap((key) =>
            options?.[key] == null ? [] : [[key, options[key]]],
          ),
        )
      : {};
  return { ...common, type: plain, options: kept };
};

const textOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return value;
  const { title, name, id } = value as { title?: unknown; name?: unknown; id?: unknown };
  return title ?? name ?? id ?? JSON.stringify(value);
};

/** A value of a field of one type for a field of another: between different types it is what people read. Empty text is nothing. */
export const valueFor = (field: FieldSchema, value: unknown, from: Header | undefined): unknown => {
  if (value === '' || value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return from?.type === field.type ? value : textOf(value);
};
