// formula: cells that are computed from other cells of the record. Its cells are of the kind of its result, which the catalog
// keeps (`computed`); what it needs of other fields is looked at in field/resolve-formula.ts.
import { isTimeZone } from '@rowhouse/contract/zone.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { Type } from 'typebox';
import type { ComputedState, FieldSchema } from '../../../catalog/table.ts';
import { sql } from '../../../db/sql.ts';
import { FormulaError } from '../../formula/error.ts';
import { parse } from '../../formula/parse.ts';
import { booleanCells } from '../kind/boolean.sql.ts';
import { dateCells } from '../kind/date.sql.ts';
import { listCells } from '../kind/list.sql.ts';
import { groupBySortKey, holdsText, sharedStatistic, distinctCells } from '../kind/shared.sql.ts';
import { textCells } from '../kind/text.sql.ts';
import type { CellResult, CellType, FieldType } from '../type.ts';
import { carryPlain, keepSameType } from './convert.ts';
import { formattedCells } from './number.ts';

const refused: CellResult = { ok: false, expected: 'nothing: this field is computed' };

/** False is a result, unlike in a checkbox. */
const truthCells: CellType = {
  ...booleanCells,
  json: (column) => sql`${column}::text`,
  text: (column) => sql`${column}::text`,
  groupKey: (column, field) => groupBySortKey(booleanCells.sortKey(column, field)),
  matches: (column, text) => holdsText(sql`${column}::text`, text),
  statistic: (statistic, column) => sharedStatistic(statistic, sql`nullif(${column}, false)`, distinctCells(column)),
};

const single: Record<ComputedState['cellValueType'], CellType> = {
  string: textCells,
  number: formattedCells,
  boolean: truthCells,
  dateTime: dateCells,
};
const several: Record<ComputedState['cellValueType'], CellType> = {
  string: listCells(textCells),
  number: listCells(formattedCells),
  boolean: listCells(truthCells),
  dateTime: listCells(dateCells),
};

const cells = ({ computed }: Pick<FieldSchema, 'computed'>): CellType => {
  const kinds = computed?.isMultiple === true ? several : single;
  const type = computed?.cellValueType ?? 'string';
  // A restored file may say anything.
  if (!Object.hasOwn(kinds, type)) throw new Error('a formula gives a text, a number, a boolean or a date');
  return kinds[type];
};

/** A mistake in a formula as the answer to the request that holds it. */
export const refuseFormula = (error: unknown, at: string): unknown => {
  if (!(error instanceof FormulaError)) return error;
  const { message, expected, nearest, start, end } = error;
  return invalid({
    path: at,
    message,
    start,
    end,
    ...(expected === undefined ? {} : { expected }),
    ...(nearest === undefined ? {} : { nearest }),
  });
};

export const formula: FieldType = {
  type: 'formula',
  defaultName: 'Calculation',
  optionsSchema: Type.Object({
    expression: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'Fields in braces, by id or by name: `{Price} * {Quantity}`. Kept with ids.',
    }),
    timeZone: Type.Optional(
      Type.Refine(
        Type.String({ maxLength: 64 }),
        (name) => isTimeZone(name),
        () => 'Expected an IANA time zone such as Europe/Berlin',
      ),
    ),
    formatting: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
    showAs: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  }),
  isComputed: true,
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: false,
  cells,
  completeOptions({ expression, timeZone, formatting, showAs }, at) {
    try {
      parse(expression as string);
    } catch (error) {
      throw refuseFormula(error, `${at}.expression`);
    }
    return {
      expression,
      timeZone: timeZone ?? 'UTC',
      ...(formatting === undefined || formatting === null ? {} : { formatting }),
      ...(showAs === undefined || showAs === null ? {} : { showAs }),
    };
  },
  read: () => refused,
  cast: () => ({ value: null }),
  defaultCell: () => null,
  convert: keepSameType,
  carry: carryPlain,
};
