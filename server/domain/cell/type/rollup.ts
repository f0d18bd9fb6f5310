// rollup: one value of the cells of linked records; count: how many there are. What they give is kept beside them (`computed`), as of formulas.
import { isTimeZone } from '@rowhouse/contract/zone.ts';
import { rollupFunctions, type RollupFunction } from '@rowhouse/contract/field.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { Type } from 'typebox';
import type { ComputedState } from '../../../catalog/table.ts';
import type { CellType, FieldType } from '../type.ts';
import { formula } from './formula.ts';
import { formattedCells } from './number.ts';

const form = /^(\w+)\(\{values\}\)$/;

/** Undefined for what is none. */
export const rollupFunction = ({ expression }: Record<string, unknown>): RollupFunction | undefined => {
  const name = form.exec(String(expression))?.[1];
  return rollupFunctions.find((one) => one === name);
};

type Result = Pick<ComputedState, 'cellValueType' | 'isMultiple'>;

const single = (cellValueType: Result['cellValueType']): Result => ({ cellValueType, isMultiple: false });

/** What a function gives of cells like these; undefined when it has no use for them. */
export const rollupResult = (name: RollupFunction, { cellValueType }: Pick<CellType, 'cellValueType'>): Result | undefined => {
  switch (name) {
    case 'countall':
    case 'counta':
    case 'count':
      return single('number');
    case 'sum':
    case 'average':
      return cellValueType === 'number' ? single('number') : undefined;
    case 'max':
    case 'min':
      return cellValueType === 'number' || cellValueType === 'dateTime' ? single(cellValueType) : undefined;
    case 'and':
    case 'or':
    case 'xor':
      return cellValueType === 'boolean' ? single('boolean') : undefined;
    case 'array_join':
    case 'concatenate':
      return single('string');
    case 'array_unique':
    case 'array_compact':
      return { cellValueType, isMultiple: true };
  }
};

const free = Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]));

export const rollup: FieldType = {
  ...formula,
  type: 'rollup',
  defaultName: 'Rollup',
  canBePrimary: false,
  optionsSchema: Type.Object({
    expression: Type.String({ maxLength: 100, description: `One of ${rollupFunctions.map((name) => `${name}({values})`).join(', ')}` }),
    timeZone: Type.Optional(Type.Refine(Type.String({ maxLength: 64 }), (name) => isTimeZone(name), () => 'Expected an IANA time zone such as Europe/Berlin')),
    formatting: free,
    showAs: free,
  }),
  completeOptions({ expression, timeZone, formatting, showAs }, at) {
    if (rollupFunction({ expression }) === undefined) throw invalid({ path: `${at}.expression`, message: `Unknown function ${JSON.stringify(String(expression).slice(0, 50))}`, expected: rollupFunctions.map((name) => `${name}({values})`).join(', ') });
    return { expression, timeZone: timeZone ?? 'UTC', ...(formatting == null ? {} : { formatting }), ...(showAs == null ? {} : { showAs }) };
  },
};

/** Over records that a filter finds. */
export const conditionalRollup: FieldType = {
  ...rollup,
  type: 'conditionalRollup',
  defaultName: 'Conditional rollup',
  optionsSchema: Type.Object({
    expression: Type.Optional(Type.String({ maxLength: 100 })),
    timeZone: Type.Optional(Type.Refine(Type.String({ maxLength: 64 }), (name) => isTimeZone(name), () => 'Expected an IANA time zone such as Europe/Berlin')),
    formatting: free,
    showAs: free,
  }),
  completeOptions: ({ expression = 'countall({values})', ...rest }, at) => rollup.completeOptions({ expression, ...rest }, at),
};

export const count: FieldType = {
  ...rollup,
  type: 'count',
  defaultName: 'Count',
  cells: () => formattedCells,
  optionsSchema: Type.Object({ formatting: free, showAs: free }),
  completeOptions: ({ formatting, showAs }) => ({ ...(formatting == null ? {} : { formatting }), ...(showAs == null ? {} : { showAs }) }),
};
