// What is told above each stack of a board: a total of one field over its records.
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';

export interface StackTotal {
  field: Field;
  statistic: Statistic;
}

export const totalStatistics = ['sum', 'average', 'min', 'max'] as const satisfies readonly Statistic[];

export const totalFields = (fields: readonly Field[]): Field[] =>
  fields.filter((field) => field.hasError !== true && field.isMultipleCellValue !== true && kindOf(field) === 'number');

export const totalOf = ({ options }: View, fields: readonly Field[]): StackTotal | undefined => {
  const field = totalFields(fields).find(({ id }) => id === options['totalFieldId']);
  const statistic = totalStatistics.find((one) => one === options['totalFunc']) ?? 'sum';
  return field === undefined ? undefined : { field, statistic };
};
