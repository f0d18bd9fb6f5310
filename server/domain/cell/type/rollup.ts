// rollup: one value of the cells of linked records; count: how many there are. What they give is kept beside them (`computed`), as of formulas.
import { isTimeZone } from '@rowhouse/contract/zone.ts';
import { rollupFunctions, type RollupFunction } from '@rowhouse/contract/field.ts';
import { rollupFunctionIn } from '@rowhouse/contract/rollup.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { Type } from 'typebox';
import type { FieldType } from '../type.ts';
import { formula } from './formula.ts';
import { formattedCells } from './number.ts';

/** Undefined for what is none. */
export const rollupFunction = ({ expression }: Record<string, unknown>): RollupFunction | undefined =>
  rollupFunctionIn(expression);

const free = Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]));

export const rollup: FieldType = {
  ...formula,
  type: 'rollup',
  defaultName: 'Rollup',
  canBePrimary: false,
  optionsSchema: Type.Object({
    expression: Type.String({
      maxLength: 100,
      description: `One of ${rollupFunctions.map((name) => `${name}({values})`).join(', ')}`,
    }),
    timeZone: Type.Optional(
      Type.Refine(
        Type.String({ maxLength: 64 }),
        (name) => isTimeZone(name),
        () => 'Expected an IANA time zone such as Europe/Berlin',
      ),
    ),
    formatting: free,
    showAs: free,
  }),
  completeOptions({ expression, timeZone, formatting, showAs }, at) {
    if (rollupFunction({ expression }) === undefined)
      throw invalid({
        path: `${at}.expression`,
        message: `Unknown function ${JSON.stringify(String(expression).slice(0, 50))}`,
        expected: rollupFunctions.map((name) => `${name}({values})`).join(', '),
      });
    return {
      expression,
      timeZone: timeZone ?? 'UTC',
      ...(formatting == null ? {} : { formatting }),
      ...(showAs == null ? {} : { showAs }),
    };
  },
};

/** Over records that a filter finds. */
export const conditionalRollup: FieldType = {
  ...rollup,
  type: 'conditionalRollup',
  defaultName: 'Conditional rollup',
  optionsSchema: Type.Object({
    expression: Type.Optional(Type.String({ maxLength: 100 })),
    timeZone: Type.Optional(
      Type.Refine(
        Type.String({ maxLength: 64 }),
        (name) => isTimeZone(name),
        () => 'Expected an IANA time zone such as Europe/Berlin',
      ),
    ),
    formatting: free,
    showAs: free,
  }),
  completeOptions: ({ expression = 'countall({values})', ...rest }, at) =>
    rollup.completeOptions({ expression, ...rest }, at),
};

export const count: FieldType = {
  ...rollup,
  type: 'count',
  defaultName: 'Count',
  cells: () => formattedCells,
  optionsSchema: Type.Object({ formatting: free, showAs: free }),
  completeOptions: ({ formatting, showAs }) => ({
    ...(formatting == null ? {} : { formatting }),
    ...(showAs == null ? {} : { showAs }),
  }),
};
