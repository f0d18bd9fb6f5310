// A base with one secret in every place that a bound member does not see: hidden fields, cells that are hidden in their record, records out of sight, what they are called, a whole
// table, history, trash, comments, filters and notes of views, choices, defaults. The secret can become another one, and with it how many hidden records there are and how they sort.
import { createComment } from '@rowhouse/contract/comment.ts';
import { convertField, createField } from '@rowhouse/contract/field.ts';
import { createRecords, deleteRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { enableShare } from '@rowhouse/contract/share.ts';
import { createView, setViewColumns, setViewFilter } from '@rowhouse/contract/view.ts';
import { everyAction, setRoles, when } from '../../test/support/matrix.ts';
import type { Person } from '../../test/support/people.ts';
import type { Workshop } from '../../test/support/tables.ts';

export interface Secret {
  text: string;
  amount: number;
  /** So many records out of sight. */
  records: number;
}

export interface AttackGround {
  shop: Workshop;
  tableId: string;
  otherId: string;
  at: Readonly<Record<string, string>>;
  seen: readonly [string, string, string];
  hidden: string;
  hiddenPerson: string;
  views: Readonly<{ own: string; filtered: string; share: string }>;
  shareId: string;
  /** The secret becomes this one everywhere. */
  put: (secret: Secret) => Promise<void>;
  /** What attempts have left behind goes. */
  clean: () => Promise<void>;
}

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

export const openAttackGround = async (shop: Workshop, reader: Person): Promise<AttackGround> => {
  const { owner, baseId } = shop;
  const people = await shop.table({
    name: 'People',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Wage', type: 'number' },
    ] as never,
    records: [{ fields: { Name: 'someone' } }, { fields: { Name: 'open person', Wage: 1 } }] as never,
  });
  const other = await shop.table({ name: 'Vault', fields: [{ name: 'Name', type: 'singleLineText' }] as never });
  const table = await shop.table({
    name: 'Orders',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'State', type: 'singleLineText' },
      { name: 'Amount', type: 'number' },
      { name: 'Secret', type: 'singleLineText' },
      { name: 'Masked', type: 'singleLineText' },
      { name: 'Cost', type: 'number' },
      { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'plain' }] } },
    ] as never,
    records: [
      { fields: { Name: 'one', State: 'open', Amount: 1, Masked: 'known', Cost: 5 } },
      { fields: { Name: 'two', State: 'open', Amount: 2 } },
      { fields: { Name: 'three', State: 'open', Amount: 3 } },
      { fields: { Name: 'out of sight', State: 'shut', Amount: 4 } },
    ] as never,
  });
  const at: Record<string, string> = {};
  for (const { id, name } of table.fields) at[name] = id;
  const params = { tableId: table.id };
  const add = async (body: object): Promise<string> =>
    must(await owner.call(createField, { params, body: body as never })).id;
  at['Person'] = await add({
    name: 'Person',
    type: 'link',
    options: { foreignTableId: people.id, relationship: 'manyMany', isOneWay: true },
  });
  const [personName, wage] = people.fields.map(({ id }) => id) as [string, string];
  at['Wages'] = await add({
    name: 'Wages',
    type: 'rollup',
    options: { expression: 'sum({values})' },
    lookupOptions: { foreignTableId: people.id, linkFieldId: at['Person'], lookupFieldId: wage },
  });
  at['Twice'] = await add({
    name: 'Twice',
    type: 'formula',
    options: { expression: `{${at['Cost']}} * 2` },
  });
  const [one, two, three, hidden] = table.records.map(({ id }) => id) as [string, string, string, string];
  const [hiddenPerson, openPerson] = people.records.map(({ id }) => id) as [string, string];
  must(
    await owner.call(updateRecords, {
      params,
      body: {
        fieldKeyType: 'name',
        records: [
          { id: one, fields: { Person: [{ id: openPerson }, { id: hiddenPerson }] } },
          { id: two, fields: { Person: [{ id: hiddenPerson }] } },
        ],
      } as never,
    }),
  );
  const view = async (name: string): Promise<string> =>
    must(await owner.call(createView, { params, body: { type: 'grid', name } as never })).id;
  const views = { own: table.defaultViewId as string, filtered: await view('Filtered'), share: await view('Shared') };
  const open = when(at['State'], 'is', 'open');
  must(await owner.call(setViewFilter, { params: { ...params, viewId: views.share }, body: { filter: open } }));
  const hiddenThere = ['Secret', 'Masked', 'Cost', 'Kind', 'Person', 'Wages', 'Twice'].map((name) => ({
    fieldId: at[name] as string,
    columnMeta: { hidden: true },
  }));
  must(await owner.call(setViewColumns, { params: { ...params, viewId: views.share }, body: hiddenThere as never }));
  const { shareId } = must(await owner.call(enableShare, { params: { ...params, viewId: views.share } })) as {
    shareId: string;
  };
  await setRoles(owner, baseId, [
    {
      members: [reader.userId],
      tables: {
        [table.id]: {
          recordFacts: false,
          grants: [
            {
              actions: everyAction,
              fields: ['Name', 'State', 'Amount', 'Person', 'Wages', 'Twice'].map((name) => at[name] as string),
              when: open,
            },
            {
              actions: everyAction,
              fields: [at['Masked'] as string, at['Cost'] as string],
              when: { conjunction: 'and', filterSet: [...open.filterSet, ...when(at['Amount'], 'is', 1).filterSet] },
            },
          ],
        },
        [people.id]: {
          recordFacts: false,
          grants: [{ actions: everyAction, fields: [personName, wage], when: when(wage, 'is', 1) }],
        },
      },
    },
  ]);
  const change = async (tableId: string, id: string, fields: object): Promise<void> =>
    void must(
      await owner.call(updateRecords, {
        params: { tableId },
        body: { fieldKeyType: 'name', records: [{ id, fields }] } as never,
      }),
    );
  let extra: string[] = [];
  const put = async ({ text, amount, records }: Secret): Promise<void> => {
    await change(people.id, hiddenPerson, { Name: text, Wage: amount });
    must(
      await owner.call(convertField, {
        params: { ...params, fieldId: at['Kind'] as string },
        body: { type: 'singleSelect', options: { choices: [{ name: 'plain' }, { name: text }] } } as never,
      }),
    );
    await change(table.id, two, { Secret: text, Masked: text, Cost: amount, Kind: text });
    await change(table.id, three, { Secret: text, Masked: `a ${text}`, Cost: -amount });
    await change(table.id, hidden, { Name: text, Secret: text, Masked: text, Cost: amount, Amount: amount });
    const vault = other.records[0]?.id;
    if (vault !== undefined) await change(other.id, vault, { Name: text });
    const say = { content: [{ type: 'p', children: [{ type: 'span', value: text }] }] };
    must(await owner.call(createComment, { params: { ...params, recordId: hidden }, body: say as never }));
    if (extra.length > 0) must(await owner.call(deleteRecords, { params, query: { recordIds: extra } } as never));
    const more = Array.from({ length: records }, () => ({ fields: { Name: text, State: 'shut', Cost: amount } }));
    extra = must(
      await owner.call(createRecords, { params, body: { fieldKeyType: 'name', records: more } as never }),
    ).records.map(({ id }) => id);
    const filter = { conjunction: 'or', filterSet: [...when(at['Secret'], 'is', text).filterSet, ...open.filterSet] };
    must(
      await owner.call(setViewFilter, {
        params: { ...params, viewId: views.filtered },
        body: { filter: filter as never },
      }),
    );
  };
  const clean = async (): Promise<void> => {
    const all = must(await owner.call(listRecords, { params, query: { take: 1_000 } as never })).records;
    const left = all.map(({ id }) => id).filter((id) => ![one, two, three, hidden, ...extra].includes(id));
    if (left.length > 0) must(await owner.call(deleteRecords, { params, query: { recordIds: left } } as never));
  };
  return {
    clean,
    shop,
    tableId: table.id,
    otherId: other.id,
    at,
    seen: [one, two, three],
    hidden,
    hiddenPerson,
    views,
    shareId,
    put,
  };
};
