// The table that a fresh instance starts with: a few records of several types, so that the first look at
// the app and the first request meet something.
import type { NewTable } from '@rowhouse/contract/table.ts';

const choice = (name: string, color: string): { name: string; color: string } => ({ name, color });

export const exampleTable = (userId: string): NewTable => ({
  name: 'Projects',
  icon: '🏠',
  fields: [
    { name: 'Name', type: 'singleLineText' },
    {
      name: 'Status',
      type: 'singleSelect',
      options: {
        choices: [
          choice('Planned', 'grayBright'),
          choice('In progress', 'yellowBright'),
          choice('Done', 'greenBright'),
        ],
      },
    },
    {
      name: 'Tags',
      type: 'multipleSelect',
      options: {
        choices: [choice('house', 'blueBright'), choice('garden', 'tealBright'), choice('money', 'orangeBright')],
      },
    },
    { name: 'Budget', type: 'number', options: { formatting: { type: 'currency', precision: 2, symbol: '€' } } },
    { name: 'Due', type: 'date' },
    { name: 'Importance', type: 'rating', options: { icon: 'star', color: 'yellowBright', max: 5 } },
    { name: 'Approved', type: 'checkbox' },
    { name: 'Owner', type: 'user', options: { isMultiple: false, shouldNotify: false } },
    { name: 'Notes', type: 'longText' },
  ],
  records: [
    {
      fields: {
        Name: 'Paint the front door',
        Status: 'In progress',
        Tags: ['house'],
        Budget: 120,
        Due: '2026-05-01T00:00:00.000Z',
        Importance: 4,
        Approved: true,
        Owner: { id: userId, title: '' },
        Notes: 'Two coats, dark green.',
      },
    },
    {
      fields: {
        Name: 'Plant an apple tree',
        Status: 'Planned',
        Tags: ['garden', 'money'],
        Budget: 45.5,
        Due: '2026-10-15T00:00:00.000Z',
        Importance: 3,
      },
    },
    {
      fields: {
        Name: 'Fix the garden gate',
        Status: 'Done',
        Tags: ['garden', 'house'],
        Budget: 30,
        Importance: 2,
        Approved: true,
      },
    },
  ],
});
