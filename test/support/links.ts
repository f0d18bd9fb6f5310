// Tables that are linked, made over the API, and what their cells show.
import * as api from '@rowhouse/contract/field.ts';
import { listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { expect } from 'vitest';
import { findWrongCells } from '../../server/domain/computed/check-cells.ts';
import type { Workshop } from './tables.ts';
import type { World } from './world.ts';

export interface Made {
  tableId: string;
  fieldIds: Record<string, string>;
  ids: string[];
}

export const titles = (cell: unknown): unknown =>
  Array.isArray(cell)
    ? cell.map(({ title }: { title: string }) => title)
    : ((cell as { title?: string } | null)?.title ?? null);

export const to = (table: Made, ...at: number[]): { id: string }[] =>
  at.map((one) => ({ id: table.ids[one] as string }));

export const linkShop = (shop: Workshop, world: World) => {
  const makeTable = async (
    name: string,
    records: readonly (string | Record<string, unknown>)[],
    more: object[] = [],
  ): Promise<Made> => {
    const made = await shop.owner.call(createTable, {
      params: { baseId: shop.baseId },
      body: {
        name,
        fields: [{ type: 'singleLineText', name: 'Name' }, ...more] as never,
        records: records.map((one) => ({ fields: typeof one === 'string' ? { Name: one } : one })) as never,
      },
    });
    expect(made.body).toMatchObject({ id: expect.any(String) });
    return {
      tableId: made.body.id,
      fieldIds: Object.fromEntries(made.body.fields.map((field) => [field.name, field.id])),
      ids: made.body.records.map(({ id }) => id),
    };
  };

  const addField = async ({ tableId }: Made, body: object): Promise<api.Field> => {
    const made = await shop.owner.call(api.createField, { params: { tableId }, body: body as never });
    expect(made.body).toMatchObject({ id: expect.any(String) });
    return made.body;
  };

  const fieldsOf = async ({ tableId }: Made): Promise<api.Field[]> =>
    (await shop.owner.call(api.listFields, { params: { tableId } })).body;

  const cellsOf = async ({ tableId, ids }: Made, fieldId: string): Promise<unknown[]> => {
    const { body } = await shop.owner.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id' } });
    return ids.map((id) => body.records.find((record) => record.id === id)?.fields[fieldId] ?? null);
  };

  return {
    makeTable,
    addField,
    link: (table: Made, foreign: Made, relationship: string, more: object = {}) =>
      addField(table, { type: 'link', options: { relationship, foreignTableId: foreign.tableId, ...more } }),
    fieldsOf,
    fieldOf: async (table: Made, fieldId: string): Promise<api.Field | undefined> =>
      (await fieldsOf(table)).find(({ id }) => id === fieldId),
    cellsOf,
    shown: async (table: Made, fieldId: string): Promise<unknown[]> => (await cellsOf(table, fieldId)).map(titles),
    set: (table: Made, at: number, fieldId: string, value: unknown, more: object = {}) =>
      shop.owner.call(updateRecord, {
        params: { tableId: table.tableId, recordId: table.ids[at] as string },
        body: { fieldKeyType: 'id', record: { fields: { [fieldId]: value } }, ...more },
      }),
    convert: ({ tableId }: Made, fieldId: string, body: object) =>
      shop.owner.call(api.convertField, { params: { tableId, fieldId }, body: body as never }),
    allRight: async (): Promise<void> => expect(await findWrongCells(world.db, shop.baseId)).toEqual([]),
  };
};
