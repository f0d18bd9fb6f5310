// Everything that changes a schema, views, choices, links or the trash, and how each is taken back.
import { convertField, createField, deleteField, getField, updateField } from '@rowhouse/contract/field.ts';
import { deleteTable, deleteTablePermanently, renameTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { undo } from '@rowhouse/contract/undo-redo.ts';
import { deleteView, getView, renameView, setViewFilter } from '@rowhouse/contract/view.ts';
import { good, type HoldsWorld } from './holds-world.ts';

export interface Change {
  name: string;
  make: (world: HoldsWorld) => Promise<void>;
  /** Undefined: there is no way back. */
  revert?: (world: HoldsWorld) => Promise<void>;
  /** It changes nothing for visitors: every share goes on. */
  isHarmless?: true;
}

const tableOf = ({ tables }: HoldsWorld, field: string): string => tables[field[0] as 'A'];
const at = (world: HoldsWorld, field: string) => ({
  tableId: tableOf(world, field),
  fieldId: world.fields[field] as string,
});

const undone =
  (letter: 'A' | 'B' | 'C' | 'D') =>
  async ({ owner, tables, window }: HoldsWorld): Promise<void> => {
    const { status, errorMessage } = good(
      await owner.call(undo, { params: { tableId: tables[letter] }, headers: window, body: {} } as never),
    ) as { status: string; errorMessage?: string };
    if (status !== 'fulfilled') throw new Error(`not undone: ${errorMessage}`);
  };

const deletion = (field: string): Change => ({
  name: `${field} is deleted`,
  make: async (world) =>
    good(await world.owner.call(deleteField, { params: at(world, field), headers: world.window } as never)),
  revert: undone(field[0] as 'A'),
});

const conversion = (
  field: string,
  what: string,
  to: object | ((world: HoldsWorld) => object),
  more: Partial<Change> = {},
): Change => ({
  name: `${field} becomes ${what}`,
  make: async (world) =>
    void good(
      await world.owner.call(convertField, {
        params: at(world, field),
        headers: world.window,
        body: typeof to === 'function' ? to(world) : to,
      } as never),
    ),
  revert: undone(field[0] as 'A'),
  ...more,
});

type Choices = { id: string; name: string; color?: string }[];

const choices = (
  field: string,
  what: string,
  next: (now: Choices) => object[],
  more: Partial<Change> = {},
): Change => ({
  name: `${field}: ${what}`,
  make: async (world) => {
    const { type, options } = good(await world.owner.call(getField, { params: at(world, field) }));
    good(
      await world.owner.call(convertField, {
        params: at(world, field),
        headers: world.window,
        body: { type, options: { ...options, choices: next((options as { choices: Choices }).choices) } },
      } as never),
    );
  },
  revert: undone(field[0] as 'A'),
  ...more,
});

const ofChoices = (field: string): Change[] => [
  choices(field, 'a choice is deleted', (now) => now.filter(({ name }) => name !== 'secret')),
  choices(field, 'a choice is renamed', (now) =>
    now.map((one) => (one.name === 'secret' ? { ...one, name: 'classified' } : one)),
  ),
  choices(field, 'choices swap their names', (now) =>
    now.map((one) => ({ ...one, name: one.name === 'secret' ? 'open' : 'secret' })),
  ),
  choices(field, 'a choice is deleted and made again', (now) => [
    ...now.filter(({ name }) => name !== 'secret'),
    { name: 'other' },
  ]),
  choices(field, 'a choice is added', (now) => [...now, { name: 'another' }], { isHarmless: true }),
  choices(field, 'a choice has another colour', (now) => now.map((one) => ({ ...one, color: 'red' })), {
    isHarmless: true,
  }),
];

const trashing = (letter: 'A' | 'B' | 'C'): Change => ({
  name: `table ${letter} goes to the trash`,
  make: async ({ owner, baseId, tables }) =>
    good(await owner.call(deleteTable, { params: { baseId, tableId: tables[letter] } })),
  revert: async ({ owner, baseId, tables }) => {
    const { trashItems } = good(
      await owner.call(listTrashItems, { query: { resourceType: 'base', resourceId: baseId } }),
    );
    good(
      await owner.call(restoreTrash, {
        params: {
          trashId: trashItems.find((item) => 'resourceId' in item && item.resourceId === tables[letter])?.id as string,
        },
      }),
    );
  },
});

const text = { type: 'singleLineText' };
const viewOf = ({ tables, limitViewId }: HoldsWorld) => ({ tableId: tables.A, viewId: limitViewId });

/** Each of them leaves the world as it was when it is taken back. */
export const changes: Change[] = [
  ...[
    'C.Text',
    'C.Choice',
    'B.toC',
    'B.Text',
    'B.Choice',
    'B.Formula',
    'A.toB',
    'A.Lookup',
    'A.Rollup',
    'A.Over',
    'A.Own',
    'A.Tags',
    'A.OfOwn',
  ].map(deletion),
  conversion('C.Text', 'a number', { type: 'number' }),
  conversion('C.Text', 'a date', { type: 'date' }),
  conversion('C.Text', 'a formula', { type: 'formula', options: { expression: '"x"' } }),
  conversion('C.Choice', 'a number', { type: 'number' }),
  conversion('C.Choice', 'a checkbox', { type: 'checkbox' }),
  conversion('C.Choice', 'several choices', { type: 'multipleSelect' }),
  conversion('B.toC', 'text', text),
  conversion('B.toC', 'a number', { type: 'number' }),
  conversion('B.toC', 'a link to several', ({ tables }) => ({
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: tables.C, isOneWay: true },
  })),
  conversion('B.toC', 'a link elsewhere', ({ tables }) => ({
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: tables.D, isOneWay: true },
  })),
  conversion('B.Formula', 'another formula', { type: 'formula', options: { expression: '"x"' } }),
  conversion('B.Text', 'a lookup of names', ({ tables, fields }) => ({
    ...text,
    isLookup: true,
    lookupOptions: { foreignTableId: tables.C, linkFieldId: fields['B.toC'], lookupFieldId: fields['C.Name'] },
  })),
  conversion('A.toB', 'text', text),
  conversion('A.toB', 'a number', { type: 'number' }),
  conversion('A.toB', 'a link to several', ({ tables }) => ({
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: tables.B, isOneWay: true },
  })),
  conversion('A.Own', 'text', text),
  conversion('A.Own', 'a number', { type: 'number' }),
  conversion('A.Own', 'several choices', { type: 'multipleSelect' }),
  conversion('A.Tags', 'one choice', { type: 'singleSelect' }),
  conversion('A.Tags', 'text', text),
  conversion('A.OfOwn', 'another formula', { type: 'formula', options: { expression: '"x"' } }),
  conversion('A.Over', 'another formula', { type: 'formula', options: { expression: '"x"' } }),
  ...['C.Choice', 'A.Own', 'A.Tags'].flatMap(ofChoices),
  ...(['C', 'B', 'A'] as const).map(trashing),
  {
    name: 'a field has another name',
    make: async (world) => {
      for (const field of ['C.Text', 'B.Formula', 'A.Own'])
        good(
          await world.owner.call(updateField, { params: at(world, field), body: { name: `${field} again` } } as never),
        );
    },
    revert: async (world) => {
      for (const field of ['C.Text', 'B.Formula', 'A.Own'])
        good(
          await world.owner.call(updateField, { params: at(world, field), body: { name: field.slice(2) } } as never),
        );
    },
    isHarmless: true,
  },
  {
    name: 'tables, views and fields come beside',
    make: async (world) => {
      good(
        await world.owner.call(createField, {
          params: { tableId: world.tables.C },
          body: { type: 'number', name: 'Beside' },
        }),
      );
      good(
        await world.owner.call(renameTable, {
          params: { baseId: world.baseId, tableId: world.tables.B },
          body: { name: 'B again' },
        }),
      );
      good(await world.owner.call(renameView, { params: viewOf(world), body: { name: 'Limit again' } }));
    },
    revert: async (world) => {
      good(
        await world.owner.call(renameTable, {
          params: { baseId: world.baseId, tableId: world.tables.B },
          body: { name: 'B' },
        }),
      );
      good(await world.owner.call(renameView, { params: viewOf(world), body: { name: 'Limit' } }));
    },
    isHarmless: true,
  },
  {
    name: 'a filter is set and undone while its field is away',
    make: async (world) => {
      const [share] = world.shares;
      await deletion('A.Lookup').make(world);
      const narrow = {
        conjunction: 'and',
        filterSet: [{ fieldId: world.fields['A.Name'], operator: 'is', value: 'nobody' }],
      };
      good(
        await world.owner.call(setViewFilter, {
          params: (share as { path: { tableId: string; viewId: string } }).path,
          headers: world.window,
          body: { filter: narrow },
        } as never),
      );
      await undone('A')(world);
    },
    revert: undone('A'),
  },
];

/** There is no way back from these; each begins with a world of its own. */
export const lastChanges: Change[] = [
  {
    name: 'the view that limits a link is deleted',
    make: async (world) => good(await world.owner.call(deleteView, { params: viewOf(world) } as never)),
  },
  {
    name: 'a table is deleted for good',
    make: async ({ owner, baseId, tables }) => {
      good(await owner.call(deleteTable, { params: { baseId, tableId: tables.C } }));
      good(await owner.call(deleteTablePermanently, { params: { baseId, tableId: tables.C } }));
    },
  },
  {
    name: 'a shared view comes back from the trash without a condition',
    make: async (world) => {
      const [{ path }] = world.shares as [HoldsWorld['shares'][number]];
      good(await world.owner.call(deleteView, { params: path } as never));
      await deletion('A.Lookup').make(world);
      const { trashItems } = good(
        await world.owner.call(listTrashItems, { query: { resourceType: 'table', resourceId: path.tableId } }),
      );
      good(
        await world.owner.call(restoreTrash, {
          params: { trashId: trashItems.find(({ resourceType }) => resourceType === 'view')?.id as string },
        }),
      );
      good(await world.owner.call(getView, { params: path }));
    },
  },
  {
    name: 'texts become numbers and texts again',
    make: async (world) => {
      for (const [field, ...types] of [
        ['C.Text', 'number', 'singleLineText'],
        ['A.Own', 'number', 'singleSelect'],
      ] as const) {
        for (const type of types)
          good(await world.owner.call(convertField, { params: at(world, field), body: { type } } as never));
      }
    },
  },
];
