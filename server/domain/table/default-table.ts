// What a table begins with when nothing else is said.
import type { NewField } from '@rowhouse/contract/field.ts';
import type { FieldSchema } from '../../catalog/table.ts';

export const defaultFields: NewField[] = [
  { type: 'singleLineText', name: 'Name' },
  { type: 'number', name: 'Count' },
  {
    type: 'singleSelect',
    name: 'Status',
    options: {
      choices: [
        { name: 'light', color: 'grayBright' },
        { name: 'medium', color: 'yellowBright' },
        { name: 'heavy', color: 'tealBright' },
      ],
    },
  },
];

/** Three empty records, where the fields allow empty records that are all alike. */
export const defaultRecords = (fields: readonly FieldSchema[]): { fields: Record<string, unknown> }[] => {
  const refusesEmpty = (field: FieldSchema): boolean => {
    const isFilled = field.options.defaultValue !== undefined;
    return (field.notNull && !isFilled) || (field.isUnique && isFilled);
  };
  return fields.some(refusesEmpty) ? [] : [{ fields: {} }, { fields: {} }, { fields: {} }];
};
