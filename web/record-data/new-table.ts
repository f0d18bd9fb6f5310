// What a table begins with when a person makes it. The API has other fields of its own for a table that nothing is said about.
import type { NewField } from '@rowhouse/contract/field.ts';

/** The choices that most work goes through. */
export const firstChoices = ['To do', 'In progress', 'Done'].map((name) => ({ name }));

export const firstFields: NewField[] = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
  { name: 'Status', type: 'singleSelect', options: { choices: firstChoices } },
];
