// Templates that come with Rowhouse are written down as data. Tables and fields are named by `$Table` and `$Table.Field`; what stands there in a
// new base has ids of its own.
import type { NewField } from '@rowhouse/contract/field.ts';
import type { NewView } from '@rowhouse/contract/view.ts';

/** Of a link: with the name that it gets in the table that it leads to. */
export type FieldDefinition = NewField & { name: string; otherSide?: string };

/** Cells by the names of fields; a link by the names of the records that it leads to. */
type RecordDefinition = Record<string, unknown>;

/** A day, counted from today, so that a new base is never out of date. */
export type Day = (fromToday: number) => string;

export interface TableDefinition {
  name: string;
  /** Links lead to tables that stand before this one. */
  fields: FieldDefinition[];
  /** Fields that need a table after this one. */
  laterFields?: FieldDefinition[];
  views: NewView[];
  records: (day: Day) => RecordDefinition[];
}

export interface Definition {
  name: string;
  description: string;
  tables: TableDefinition[];
}

const choice = (given: string): { name: string; color: string } => {
  const [name = '', color = 'grayBright'] = given.split(':');
  return { name, color };
};

/** `choices('Planned:grayBright', …)` */
export const choices = (...given: string[]): { choices: { name: string; color: string }[] } => ({
  choices: given.map(choice),
});

export const money = { formatting: { type: 'currency', precision: 2, symbol: '$' } } as const;
export const whole = { formatting: { type: 'decimal', precision: 0 } } as const;
export const percent = { formatting: { type: 'percent', precision: 0 } } as const;
export const plainDate = { formatting: { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' } } as const;
