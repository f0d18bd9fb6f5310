// What a new view of bars begins with, so that it shows something at once.
import type { Field } from '@rowhouse/contract/field.ts';
import { singleDates } from './bar-fields.ts';

const workingWeek = [1, 2, 3, 4, 5];

/** The first two dates that people write, else one that is computed. */
export const beginBars = (fields: readonly Field[]): { options: Record<string, unknown> } => {
  const dates = singleDates(fields);
  const written = dates.filter(({ isComputed }) => isComputed !== true);
  const [start = dates[0], end] = written;
  return {
    options: {
      workingDays: workingWeek,
      ...(start === undefined ? {} : { startDateFieldId: start.id }),
      ...(end === undefined ? {} : { endDateFieldId: end.id }),
    },
  };
};
