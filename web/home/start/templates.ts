// Tables to begin with: a few fields that fit together, a second way to look at them, and two or three records that show how.
import type { NewTable } from '@rowhouse/contract/table.ts';
import { Boxes, CalendarRange, type LucideIcon, SquareKanban, UsersRound } from 'lucide-react';

export interface Template {
  id: string;
  name: string;
  meaning: string;
  icon: LucideIcon;
  table: NewTable;
}

type Choices = readonly (readonly [name: string, color: string])[];

const choices = (list: Choices): { choices: { name: string; color: string }[] } => ({ choices: list.map(([name, color]) => ({ name, color })) });
const records = (...list: Record<string, unknown>[]): { fields: Record<string, unknown> }[] => list.map((fields) => ({ fields }));
const day = (ahead: number): string => new Date(Math.floor(Date.now() / 86_400_000 + ahead) * 86_400_000).toISOString();

export const templates: readonly Template[] = [
  {
    id: 'projects',
    name: 'Project tracker',
    meaning: 'Tasks with status, priority and due date',
    icon: SquareKanban,
    table: {
      name: 'Tasks',
      fields: [
        { name: 'Task', type: 'singleLineText' },
        { name: 'Status', type: 'singleSelect', options: choices([['To do', 'blueLight1'], ['In progress', 'yellowLight1'], ['Done', 'greenLight1']]) },
        { name: 'Priority', type: 'singleSelect', options: choices([['High', 'redLight1'], ['Medium', 'orangeLight1'], ['Low', 'grayLight1']]) },
        { name: 'Assigned to', type: 'user' },
        { name: 'Due', type: 'date' },
        { name: 'Notes', type: 'longText' },
      ],
      views: [{ type: 'grid', name: 'All tasks' }],
      records: records({ Task: 'Write down what has to be done', Status: 'In progress', Priority: 'High', Due: day(2) }, { Task: 'Invite the team', Status: 'To do', Priority: 'Medium', Due: day(5) }, { Task: 'Create this table', Status: 'Done', Priority: 'Low' }),
    },
  },
  {
    id: 'customers',
    name: 'Customers',
    meaning: 'Contacts, stages and the value of deals',
    icon: UsersRound,
    table: {
      name: 'Customers',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Company', type: 'singleLineText' },
        { name: 'Stage', type: 'singleSelect', options: choices([['Lead', 'blueLight1'], ['Talking', 'yellowLight1'], ['Won', 'greenLight1'], ['Lost', 'grayLight1']]) },
        { name: 'Value', type: 'number', options: { formatting: { type: 'currency', precision: 0, symbol: '$' } } },
        { name: 'E-mail', type: 'singleLineText' },
        { name: 'Last contact', type: 'date' },
        { name: 'Notes', type: 'longText' },
      ],
      views: [{ type: 'grid', name: 'All customers' }],
      records: records({ Name: 'First customer', Company: 'Example Ltd', Stage: 'Talking', Value: 4_800, 'Last contact': day(-3) }, { Name: 'Second customer', Company: 'Sample Inc', Stage: 'Lead', Value: 1_200 }),
    },
  },
  {
    id: 'content',
    name: 'Content calendar',
    meaning: 'What is published where and when',
    icon: CalendarRange,
    table: {
      name: 'Content',
      fields: [
        { name: 'Title', type: 'singleLineText' },
        { name: 'Channel', type: 'multipleSelect', options: choices([['Blog', 'blueLight1'], ['Newsletter', 'orangeLight1'], ['Social media', 'purpleLight1']]) },
        { name: 'Status', type: 'singleSelect', options: choices([['Idea', 'grayLight1'], ['Draft', 'yellowLight1'], ['Published', 'greenLight1']]) },
        { name: 'Publish on', type: 'date' },
        { name: 'Author', type: 'user' },
      ],
      views: [{ type: 'grid', name: 'All content' }],
      records: records({ Title: 'Announcement', Channel: ['Blog', 'Newsletter'], Status: 'Draft', 'Publish on': day(3) }, { Title: 'Behind the scenes', Channel: ['Social media'], Status: 'Idea', 'Publish on': day(10) }),
    },
  },
  {
    id: 'inventory',
    name: 'Inventory',
    meaning: 'Things, where they are and how many',
    icon: Boxes,
    table: {
      name: 'Inventory',
      fields: [
        { name: 'Item', type: 'singleLineText' },
        { name: 'Category', type: 'singleSelect', options: choices([['Equipment', 'blueLight1'], ['Supplies', 'orangeLight1'], ['Spare parts', 'tealLight1']]) },
        { name: 'Quantity', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
        { name: 'Price each', type: 'number', options: { formatting: { type: 'currency', precision: 2, symbol: '$' } } },
        { name: 'Place', type: 'singleLineText' },
        { name: 'Reorder', type: 'checkbox' },
      ],
      views: [{ type: 'grid', name: 'All items' }],
      records: records({ Item: 'Screwdriver set', Category: 'Equipment', Quantity: 3, 'Price each': 24.5, Place: 'Workshop' }, { Item: 'Printer paper', Category: 'Supplies', Quantity: 2, 'Price each': 5.99, Place: 'Office', Reorder: true }),
    },
  },
];
