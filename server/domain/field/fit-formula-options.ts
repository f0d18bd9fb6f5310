// Formatting and showAs of a formula follow from what it gives: they are checked, and completed, once that is known.
import { colors } from '@rowhouse/contract/color.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { Type } from 'typebox';
import type { ComputedState } from '../../catalog/table.ts';
import { type Validate, validator } from '../../endpoint/validate.ts';
import { dateFormatting, formattingOf } from '../cell/kind/date-format.sql.ts';
import { numberFormatting } from '../cell/type/number.ts';

type Result = Pick<ComputedState, 'cellValueType' | 'isMultiple'>;
type Options = Record<string, unknown>;

const color = Type.Enum([...colors]);

const schemas = {
  number: numberFormatting,
  dateTime: Type.Partial(dateFormatting),
  bar: Type.Object({
    type: Type.Enum(['bar', 'ring']),
    color,
    showValue: Type.Boolean(),
    maxValue: Type.Number({ exclusiveMinimum: 0 }),
  }),
  line: Type.Object({ type: Type.Enum(['bar', 'line']), color }),
  link: Type.Object({ type: Type.Enum(['url', 'email', 'phone']) }),
};

const validators = new Map<keyof typeof schemas, Validate>();

const validate = (name: keyof typeof schemas, value: unknown, at: string): void => {
  const known = validators.get(name) ?? validator(schemas[name]);
  validators.set(name, known);
  known(value, at);
};

const formattingKind = ({ cellValueType }: Result): 'number' | 'dateTime' | undefined =>
  cellValueType === 'number' || cellValueType === 'dateTime' ? cellValueType : undefined;

const showAsKind = ({ cellValueType, isMultiple }: Result): 'bar' | 'line' | 'link' | undefined =>
  cellValueType === 'number' ? (isMultiple ? 'line' : 'bar') : cellValueType === 'string' ? 'link' : undefined;

const completeFormatting = (kind: 'number' | 'dateTime', given: Options): Options => {
  if (kind === 'dateTime') return { ...formattingOf({ formatting: given }) };
  const { type = 'decimal', precision = 2, symbol } = given;
  return { type, precision, ...(type === 'currency' ? { symbol: symbol ?? '$' } : {}) };
};

/** 400 for what does not fit. */
export const completeFormulaOptions = (options: Options, result: Result, at: string): Options => {
  const { formatting, showAs, ...rest } = options;
  const [format, shown] = [formattingKind(result), showAsKind(result)];
  const gives = `The formula gives ${result.isMultiple ? 'a list of values' : 'a value'} of type ${result.cellValueType}`;
  if (formatting != null) {
    if (format === undefined)
      throw invalid({
        path: `${at}.formatting`,
        message: `${gives}, which has no formatting`,
        expected: 'no formatting',
      });
    validate(format, formatting, `${at}.formatting`);
  }
  if (showAs != null) {
    if (shown === undefined)
      throw invalid({
        path: `${at}.showAs`,
        message: `${gives}, which cannot be shown in another way`,
        expected: 'no showAs',
      });
    validate(shown, showAs, `${at}.showAs`);
  }
  return {
    ...rest,
    ...(format === undefined ? {} : { formatting: completeFormatting(format, (formatting ?? {}) as Options) }),
    ...(showAs == null ? {} : { showAs }),
  };
};

/** What still fits stays: for a formula that gives something else because another field changed. */
export const fitFormulaOptions = (options: Options, result: Result): Options => {
  for (const part of [options, { ...options, showAs: undefined }]) {
    try {
      return completeFormulaOptions(part, result, 'options');
    } catch {
      // Without it, then.
    }
  }
  const { formatting: _formatting, showAs: _showAs, ...rest } = options;
  return completeFormulaOptions(rest, result, 'options');
};
