// One field that others refer to in every way there is, converted from one kind of cells to another: nothing may fail. What refers to it works on, forgets the condition, or shows an error.
import { getAggregation } from '@rowhouse/contract/aggregation.ts';
import { convertField, createField, listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { createView, deleteView, listViews } from '@rowhouse/contract/view.ts';
import type { Workshop } from './tables.ts';

const zone = { mode: 'today', timeZone: 'UTC' };
const named = { options: { choices: [{ name: 'a' }, { name: '1' }] } };

interface Kind {
  field: { type: string; options?: object };
  operator: string;
  value: unknown;
  cell: unknown;
}

/** Each kind of cells once, with a condition that only it has, where there is one. */
export const kinds: Record<string, Kind> = {
  text: { field: { type: 'singleLineText' }, operator: 'contains', value: 'a', cell: 'a' },
  number: { field: { type: 'number' }, operator: 'isGreater', value: 0, cell: 1 },
  boolean: { field: { type: 'checkbox' }, operator: 'is', value: true, cell: true },
  date: { field: { type: 'date' }, operator: 'isOnOrBefore', value: zone, cell: '2024-01-01T00:00:00.000Z' },
  choice: { field: { type: 'singleSelect', ...named }, operator: 'isAnyOf', value: ['a'], cell: 'a' },
  choices: { field: { type: 'multipleSelect', ...named }, operator: 'hasAllOf', value: ['a'], cell: ['a'] },
  person: { field: { type: 'user' }, operator: 'isNot', value: 'me', cell: null },
  people: { field: { type: 'user', options: { isMultiple: true } }, operator: 'hasNoneOf', value: ['me'], cell: null },
  file: { field: { type: 'attachment' }, operator: 'isEmpty', value: null, cell: null },
};

export type Pair = readonly [from: string, to: string];

export const allPairs: Pair[] = Object.keys(kinds).flatMap((from) => Object.keys(kinds).filter((to) => to !== from).map((to): Pair => [from, to]));

const filterOf = (fieldId: string, { operator, value }: Kind): object => ({ conjunction: 'and', filterSet: [{ fieldId, operator, value }] });

/** Answers what went wrong, one line each. */
export const walkConversions = async ({ owner: { call }, table }: Workshop, pairs: readonly Pair[]): Promise<string[]> => {
  const faults: string[] = [];
  for (const [from, to] of pairs) {
    const kind = kinds[from] as Kind;
    const note = (what: string, { status, error }: { status: number; error?: { message?: string } }, most = 299): void => {
      if (status > most) faults.push(`${from} to ${to}, ${what}: ${status} ${error?.message ?? ''}`);
    };
    const one = await table({ fields: [{ type: 'singleLineText', name: 'Name' }, { ...kind.field, name: 'X' }] as never, records: [{ fields: { Name: 'one', ...(kind.cell === null ? {} : { X: kind.cell }) } }] as never });
    const other = await table({ fields: [{ type: 'singleLineText', name: 'Name' }] as never, records: [{ fields: { Name: 'other' } }] as never });
    const [own, far] = [{ tableId: one.id }, { tableId: other.id }];
    const [nameId, fieldId] = one.fields.map(({ id }) => id) as [string, string];
    const filter = filterOf(fieldId, kind);
    const add = async (params: { tableId: string }, body: object): Promise<string> => {
      const made = await call(createField, { params, body: body as never });
      note(`setting up ${JSON.stringify(body).slice(0, 80)}`, made as never);
      return made.status < 300 ? made.body.id : '';
    };
    const isFixed = kind.field.type !== 'user' && from !== 'date';
    const inFilter = isFixed ? filter : filterOf(fieldId, { ...kind, operator: 'isNotEmpty', value: null });
    const linkFieldId = await add(far, { type: 'link', name: 'Link', options: { relationship: 'manyMany', foreignTableId: one.id, filter: inFilter } });
    const through = { foreignTableId: one.id, linkFieldId };
    await add(far, { type: 'rollup', name: 'Rollup', options: { expression: 'countall({values})' }, lookupOptions: { ...through, lookupFieldId: nameId, filter: inFilter } });
    await add(far, { type: 'singleLineText', name: 'Names', isLookup: true, lookupOptions: { ...through, lookupFieldId: nameId, filter: inFilter, sort: { fieldId, order: 'asc' } } });
    if (from !== 'file') await add(far, { type: kind.field.type, name: 'Xs', isLookup: true, lookupOptions: { ...through, lookupFieldId: fieldId } });
    await add(far, { type: 'conditionalRollup', name: 'Found', options: { expression: 'countall({values})', foreignTableId: one.id, lookupFieldId: nameId, filter: inFilter } });
    const formula = await add(own, { type: 'formula', name: 'Formula', options: { expression: `{${fieldId}} & ''` } });
    if (formula !== '') await add(own, { type: 'formula', name: 'Formula 2', options: { expression: `LEN({${formula}})` } });
    const sorted = from === 'file' ? {} : { sort: { sortObjs: [{ fieldId, order: 'asc' }] }, group: [{ fieldId, order: 'asc' }] };
    note('setting up the view', (await call(createView, { params: own, body: { type: 'grid', name: 'View', filter, ...sorted, columnMeta: { [fieldId]: { statisticFunc: 'empty' } } } as never })) as never);
    note('setting up the form', (await call(createView, { params: own, body: { type: 'form', name: 'Form', columnMeta: { [fieldId]: { visible: true }, [nameId]: { visible: true, condition: filter } } } as never })) as never);

    note('converting', (await call(convertField, { params: { ...own, fieldId }, body: (kinds[to] as Kind).field as never })) as never);
    for (const params of [own, far]) {
      note('listing fields', (await call(listFields, { params })) as never);
      note('listing records', (await call(listRecords, { params })) as never);
      note('creating a record', (await call(createRecords, { params, body: { records: [{ fields: params === far ? { Name: 'more', Link: one.records.map(({ id }) => ({ id })) } : { Name: 'more' } }] } as never })) as never);
      for (const { id: viewId, type } of (await call(listViews, { params })).body) {
        if (type === 'form') continue;
        note(`the view ${viewId}`, (await call(listRecords, { params, query: { viewId } as never })) as never);
        note(`its statistics`, (await call(getAggregation, { params, query: { viewId } as never })) as never);
        if (params === own) await call(deleteView, { params: { ...params, viewId } });
      }
    }
    note('converting back', (await call(convertField, { params: { ...own, fieldId }, body: kind.field as never })) as never);
    for (const params of [own, far]) note('listing records again', (await call(listRecords, { params })) as never);
  }
  return faults;
};
