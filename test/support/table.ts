// Tables for tests: a base of its own, with a table of every field type.
import { createBase } from '@rowhouse/contract/base.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { person, type Person } from './people.ts';
import type { Caller, World } from './world.ts';

export interface Ground {
  owner: Person;
  call: Caller;
  spaceId: string;
  baseId: string;
}

export type OwnSpace = Omit<Ground, 'baseId'>;

/** Somebody with a space: a base takes PostgreSQL ten times as long as all of this. */
export const ownSpace = async (world: World, who?: Person): Promise<OwnSpace> => {
  const owner = who ?? (await person(world, { name: 'Olive Owner' }));
  const space = await owner.call(createSpace, { body: { name: 'Space' } });
  return { owner, call: owner.call, spaceId: space.body.id };
};

/** Somebody with a space and a base. */
export const ground = async (world: World, who?: Person): Promise<Ground> => {
  const { owner, call, spaceId } = await ownSpace(world, who);
  const base = await call(createBase, { body: { spaceId, name: 'Base' } });
  return { owner, call, spaceId, baseId: base.body.id };
};

export interface TestTable extends Ground {
  tableId: string;
  viewId: string;
  /** Field name → id. */
  fieldIds: Record<string, string>;
}

type NewField = { name: string; type: string; options?: Record<string, unknown>; unique?: boolean; notNull?: boolean };

export const choices = ['red', 'green', 'blue, navy', 'with "quotes"'];

/** One field of every type that people can write. */
export const writableFields: NewField[] = [
  { name: 'Text', type: 'singleLineText' },
  { name: 'Long', type: 'longText' },
  { name: 'Number', type: 'number', options: { formatting: { type: 'decimal', precision: 2 } } },
  { name: 'Rating', type: 'rating', options: { max: 5 } },
  { name: 'Check', type: 'checkbox' },
  {
    name: 'Date',
    type: 'date',
    options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' } },
  },
  { name: 'Select', type: 'singleSelect', options: { choices: choices.map((name) => ({ name })) } },
  { name: 'Tags', type: 'multipleSelect', options: { choices: choices.map((name) => ({ name })) } },
  { name: 'Person', type: 'user' },
  { name: 'People', type: 'user', options: { isMultiple: true } },
];

export const systemFields: NewField[] = [
  { name: 'ID', type: 'autoNumber' },
  { name: 'Made', type: 'createdTime' },
  { name: 'Changed', type: 'lastModifiedTime' },
  { name: 'Maker', type: 'createdBy' },
  { name: 'Changer', type: 'lastModifiedBy' },
];

export const tableWith = async (on: Ground, fields: NewField[] = writableFields): Promise<TestTable> => {
  const made = await on.call(createTable, {
    params: { baseId: on.baseId },
    body: { name: 'Table', fields: fields as never, records: [] },
  });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const table = made.body;
  return {
    ...on,
    tableId: table.id,
    viewId: table.defaultViewId as string,
    fieldIds: Object.fromEntries(table.fields.map((field) => [field.name, field.id])),
  };
};
