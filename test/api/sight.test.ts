// What a caller may see of a table holds wherever cells are rendered. Access decisions say "everything" today, so the sights
// here are made by hand, and every operation on a table is carried out with them.
import {
  getAggregation,
  getGroupPoints,
  getRowCount,
  getSearchCount,
  getSearchIndex,
} from '@rowhouse/contract/aggregation.ts';
import { queryBase } from '@rowhouse/contract/base-query.ts';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { createField, getField, listFields } from '@rowhouse/contract/field.ts';
import { listRecordHistory, listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import {
  createRecords,
  deleteRecord,
  deleteRecords,
  duplicateRecord,
  getRecord,
  getRecordStatus,
  listRecords,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { createTable, duplicateTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { createView, listViews } from '@rowhouse/contract/view.ts';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../server/app.ts';
import type { RecordCondition } from '../../server/catalog/condition.ts';
import type { Rights, TableRights } from '../../server/catalog/rights.ts';
import type { Grant } from '../../server/catalog/bound.ts';
import { boundRights } from '../../server/domain/computed/bound-rights.ts';
import { requestFor } from '../support/access-request.ts';
import { openTenant, type Tenant } from '../support/access-tenant.ts';
import type { Request } from '../support/access-walk.ts';
import { cases } from '../support/cases.ts';
import { type Restricted, restricted } from '../support/restricted.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

let tenant: Tenant;
beforeAll(async () => {
  tenant = await openTenant(world());
});

/** In what nobody with the sight may read: hidden cells of records that are seen, and anything of records that are not. */
const [hiddenCell, hiddenRow] = ['HUSHcell', 'HUSHrow'];
const [hiddenNumber, hiddenCost] = [918_273_645, 555_000_555];

/** What a sight hides. `cells`: single fields are seen, but none of their cells. */
type Hidden = Partial<Record<'fields' | 'records' | 'cells', boolean>>;

interface Stage {
  tableId: string;
  viewId: string;
  fieldIds: Record<string, string>;
  /** Roof, Fence and a record that is not seen. */
  recordIds: [string, string, string];
  /** An update of visible and hidden cells of all three. */
  operationId: string;
  as: (hidden: Hidden) => Promise<Restricted>;
}

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

/** The sight hides every field but Name and Cost, and shows records whose group, which is hidden itself, is "shown". */
const stage = async (): Promise<Stage> => {
  const { owner, things } = tenant;
  const choice = (name: string) => ({ name });
  const table = must(
    await owner.call(createTable, {
      params: { baseId: things.baseId },
      body: {
        name: 'Repairs',
        fields: [
          { name: 'Name', type: 'singleLineText' },
          { name: 'Cost', type: 'number' },
          { name: `${hiddenCell} text`, type: 'singleLineText' },
          { name: `${hiddenCell} number`, type: 'number' },
          {
            name: `${hiddenCell} group`,
            type: 'singleSelect',
            options: { choices: [choice('shown'), choice('other')] },
          },
          { name: `${hiddenCell} maker`, type: 'createdBy' },
          { name: `${hiddenCell} default`, type: 'singleLineText', options: { defaultValue: `${hiddenCell} default` } },
        ],
        records: [],
      },
    }),
  );
  const tableId = table.id;
  const fieldIds = Object.fromEntries(
    table.fields.map((field) => [field.name.replace(`${hiddenCell} `, ''), field.id]),
  );
  const row = (name: string, cost: number, mark: string, group: string) => ({
    fields: {
      Name: name,
      Cost: cost,
      [`${hiddenCell} text`]: `${mark} first`,
      [`${hiddenCell} number`]: hiddenNumber,
      [`${hiddenCell} group`]: group,
    },
  });
  const made = must(
    await owner.call(createRecords, {
      params: { tableId },
      body: {
        records: [
          row('Roof', 1, hiddenCell, 'shown'),
          row('Fence', 2, hiddenCell, 'shown'),
          row(hiddenRow, hiddenCost, hiddenRow, 'other'),
        ],
      },
    }),
  );
  const recordIds = made.records.map(({ id }) => id) as Stage['recordIds'];
  const updated = await owner.call(updateRecords, {
    params: { tableId },
    body: {
      records: recordIds.map((id, at) => ({
        id,
        fields: {
          Cost: at === 2 ? hiddenCost + 1 : 10 * (at + 1),
          [`${hiddenCell} text`]: `${at === 2 ? hiddenRow : hiddenCell} second`,
        },
      })),
    },
  });
  must(updated);
  // Stands in the way of undoing that update, for anyone who sees it.
  must(
    await owner.call(updateRecord, {
      params: { tableId, recordId: recordIds[0] },
      body: { record: { fields: { [`${hiddenCell} text`]: `${hiddenCell} third` } } },
    }),
  );
  const gone = must(
    await owner.call(createRecords, {
      params: { tableId },
      body: { records: [row(`${hiddenRow} deleted`, 3, hiddenRow, 'other')] },
    }),
  );
  must(await owner.call(deleteRecord, { params: { tableId, recordId: gone.records[0]?.id as string } }));
  const view = must(
    await owner.call(createView, {
      params: { tableId },
      body: {
        type: 'grid',
        sort: { sortObjs: [{ fieldId: fieldIds.text as string, order: 'desc' }] },
        group: [{ fieldId: fieldIds.group as string, order: 'asc' }],
        filter: {
          conjunction: 'and',
          filterSet: [{ fieldId: fieldIds.number as string, operator: 'isNotEmpty', value: null }],
        },
        columnMeta: {
          [fieldIds.number as string]: { statisticFunc: 'sum' },
          [fieldIds.Cost as string]: { statisticFunc: 'sum' },
        },
      },
    }),
  );
  const seenFields = [fieldIds.Name as string, fieldIds.Cost as string];
  const rule = ({ fields = true, records = true }: Hidden): TableRights => ({
    fieldIds: fields ? new Set(seenFields) : null,
    rows: !records || {
      filter: {
        conjunction: 'and',
        filterSet: [{ fieldId: fieldIds.group as string, operator: 'is', value: 'shown' }],
      },
    },
  });
  const never: RecordCondition = {
    filter: { conjunction: 'and', filterSet: [{ fieldId: fieldIds.Name as string, operator: 'is', value: 'nobody' }] },
  };
  const bound = ({ records = true }: Hidden): Rights =>
    boundRights(
      (id): Grant[] =>
        id === tableId
          ? [
              { fields: new Set(seenFields), when: rule({ records }).rows },
              { fields: new Set([fieldIds.number as string, fieldIds.group as string]), when: never },
            ]
          : [{ fields: null, when: true }],
      `walk ${records}`,
    );
  return {
    tableId,
    viewId: view.id,
    fieldIds,
    recordIds,
    operationId: updated.headers.get('x-operation-id') as string,
    as: (hidden) => restricted(world(), owner.token, tableId, hidden.cells === true ? bound(hidden) : rule(hidden)),
  };
};

/** What the text must not hold under a sight. */
const leaksIn = (text: string, { fields = true, records = true, cells = false }: Hidden): string[] =>
  [
    ...(fields ? [String(hiddenNumber)] : []),
    // Fields of which cells are hidden have names with the mark.
    ...(fields && cells
      ? ['text', 'maker', 'default', 'first', 'second', 'third'].map((word) => `${hiddenCell} ${word}`)
      : []),
    ...(fields && !cells ? [hiddenCell] : []),
    ...(records ? [hiddenRow, String(hiddenCost), String(hiddenCost + 1)] : []),
  ].filter((mark) => text.includes(mark));

const json = <
  T = {
    records: { id: string; name: string; fields: Record<string, unknown>; permissions?: Record<string, unknown> }[];
    extra: Record<string, unknown>;
  },
>({
  text,
}: {
  text: string;
}): T => JSON.parse(text) as T;

describe('every operation on a table', () => {
  const onTables = routes.map(({ endpoint }) => endpoint).filter(({ access }) => access.on === 'table');

  /** Besides what the access walk sends, what makes an operation say the most. */
  const more: Record<string, (it: Stage) => Request[]> = {
    listRecords: ({ tableId, viewId, fieldIds }) =>
      [
        {},
        { viewId },
        { search: 'HUSH' },
        { search: ['HUSH', '', 'false'] },
        { viewId, groupBy: JSON.stringify([{ fieldId: 'Name', order: 'asc' }]) },
        { fieldKeyType: 'id', take: 1 },
        { cellFormat: 'text' },
        { orderBy: JSON.stringify([{ fieldId: fieldIds.text, order: 'asc' }]) },
        { projection: [fieldIds.text] },
      ].map((query) => ({ params: { tableId }, query })),
    getRecord: ({ tableId, recordIds }) =>
      recordIds.map((recordId) => ({ params: { tableId, recordId }, query: { fieldKeyType: 'id' } })),
    getRecordStatus: ({ tableId, recordIds }) => recordIds.map((recordId) => ({ params: { tableId, recordId } })),
    listTableHistory: ({ tableId }) => [{ params: { tableId }, query: { take: 1_000 } }],
    listRecordHistory: ({ tableId, recordIds }) =>
      recordIds.map((recordId) => ({ params: { tableId, recordId }, query: { take: 1_000, includeCreated: true } })),
    restoreHistory: ({ tableId, operationId, recordIds: [roof, , unseen] }) =>
      [
        { operationId },
        { operationId, force: true },
        { recordId: roof, at: new Date(0).toISOString() },
        { recordId: unseen, at: new Date(0).toISOString(), force: true },
      ].map((body) => ({ params: { tableId }, body })),
    getAggregation: ({ tableId, viewId, fieldIds }) =>
      [
        { viewId },
        { 'field[sum]': [fieldIds.number], viewId },
        { 'field[max]': ['Cost'] },
        { 'field[max]': ['Cost'], groupBy: JSON.stringify([{ fieldId: 'Name', order: 'asc' }]) },
      ].map((query) => ({ params: { tableId }, query })),
    getGroupPoints: ({ tableId, viewId, fieldIds }) =>
      [
        { viewId },
        { groupBy: JSON.stringify([{ fieldId: fieldIds.text, order: 'asc' }]) },
        { groupBy: JSON.stringify([{ fieldId: 'Name', order: 'asc' }]) },
      ].map((query) => ({ params: { tableId }, query })),
    updateRecords: ({ tableId, recordIds, fieldIds }) =>
      [
        { records: recordIds.map((id) => ({ id, fields: { Cost: 1 } })) },
        { records: [{ id: recordIds[0], fields: { [fieldIds.text as string]: 'mine' } }], fieldKeyType: 'id' },
        { records: [{ id: recordIds[0], fields: { Cost: 'x' } }], typecast: true },
      ].map((body) => ({ params: { tableId }, body })),
    deleteRecords: ({ tableId, recordIds }) => [
      { params: { tableId }, query: { recordIds } },
      { params: { tableId }, query: { recordIds: [recordIds[1]] } },
    ],
    duplicateRecord: ({ tableId, recordIds }) => recordIds.map((recordId) => ({ params: { tableId, recordId } })),
    createRecords: ({ tableId, viewId, recordIds }) =>
      [
        { records: [{ fields: { Name: 'New', Cost: 1 } }] },
        { records: [{ fields: { Name: 'New' } }], order: { viewId, anchorId: recordIds[0], position: 'before' } },
      ].map((body) => ({ params: { tableId }, body })),
    listFields: ({ tableId, viewId }) => [
      { params: { tableId }, query: {} },
      { params: { tableId }, query: { viewId } },
    ],
    getField: ({ tableId, fieldIds }) => Object.values(fieldIds).map((fieldId) => ({ params: { tableId, fieldId } })),
    convertField: ({ tableId, fieldIds }) => [
      { params: { tableId, fieldId: fieldIds.text as string }, body: { type: 'longText' } },
    ],
    // What cannot be carried over is told by example: by the steps of a conversion, by reading cells, by titles of records.
    planFieldConvert: ({ tableId, fieldIds, recordIds }) => [
      ...['Name', 'Cost'].flatMap((name) =>
        ['checkbox', 'number', 'date', 'singleSelect', 'user', 'attachment'].map((type) => ({
          params: { tableId, fieldId: fieldIds[name] as string },
          body: { type },
        })),
      ),
      {
        params: { tableId, fieldId: fieldIds.Name as string },
        body: { type: 'link', options: { foreignTableId: tableId, relationship: 'manyMany', isOneWay: true } },
      },
      ...recordIds.map((recordId) => ({
        params: { tableId, fieldId: fieldIds.Cost as string },
        query: { recordId },
        body: { type: 'formula', options: { expression: `{${fieldIds.Name}}` } },
      })),
    ],
    planFieldCreate: ({ tableId, fieldIds, recordIds }) =>
      recordIds.flatMap((recordId) =>
        [fieldIds.Name, fieldIds.text].map((fieldId) => ({
          params: { tableId },
          query: { recordId },
          body: { type: 'formula', options: { expression: `{${fieldId}}` } },
        })),
      ),
    duplicateField: ({ tableId, fieldIds }) => [
      { params: { tableId, fieldId: fieldIds.text as string }, body: { name: 'Copy' } },
    ],
  };

  const run = async (it: Stage, endpoint: Declaration, sight: Hidden): Promise<string[]> => {
    const things = {
      ...tenant.things,
      tableId: it.tableId,
      viewId: it.viewId,
      fieldId: it.fieldIds.Cost as string,
      recordId: it.recordIds[0],
      siblingRecordId: it.recordIds[1],
      operationId: it.operationId,
    };
    const caller = await it.as(sight);
    const found: string[] = [];
    for (const request of [...(more[endpoint.name]?.(it) ?? []), requestFor(endpoint, things)]) {
      const { text, headers } = await caller.call(endpoint, request);
      const leaks = leaksIn(text + JSON.stringify(headers), sight);
      if (leaks.length > 0)
        found.push(`${endpoint.name} ${JSON.stringify(request)}: ${leaks.join()} in ${text.slice(0, 500)}`);
    }
    return found;
  };

  /** All that a stage has to show: while it is as it was, the next operation has the same to show. */
  const contentsOf = async ({ tableId }: Stage): Promise<string> => {
    const { call } = tenant.owner;
    const params = { tableId };
    const answers = [
      await call(listFields, { params, query: {} }),
      await call(listRecords, { params, query: {} }),
      await call(listViews, { params }),
      await call(listTableHistory, { params, query: {} }),
    ];
    return JSON.stringify(answers.map(({ status, body }) => [status, body]));
  };

  /** A stream is heard below. */
  const streams: string[] = [listenToTable.name];

  const both = { fields: true, records: true, cells: false };
  const all = { ...both, cells: true };

  test.each(cases([both, { ...both, records: false }, { ...both, fields: false }, all], [all]))(
    'shows no more than is seen (hidden fields: $fields, records: $records, cells of seen fields: $cells)',
    { timeout: 300_000 },
    async (sight) => {
      const found: string[] = [];
      const toRead = await stage();
      let toWrite = await stage();
      let contents = await contentsOf(toWrite);
      for (const endpoint of onTables.filter(({ name }) => !streams.includes(name))) {
        const isReading = endpoint.method === 'GET';
        found.push(...(await run(isReading ? toRead : toWrite, endpoint, sight)));
        if (isReading || (await contentsOf(toWrite)) === contents) continue;
        toWrite = await stage();
        contents = await contentsOf(toWrite);
      }
      expect(found).toEqual([]);
    },
  );

  test('shows it to anyone who sees everything, or the walk would prove nothing', async () => {
    const said: string[] = [];
    for (const endpoint of [
      listRecords,
      getRecord,
      listTableHistory,
      listRecordHistory,
      getAggregation,
      getGroupPoints,
      updateRecords,
      deleteRecords,
      createRecords,
      duplicateRecord,
      listFields,
      restoreHistory,
    ] as Declaration[]) {
      const it = await stage();
      const caller = await it.as({ fields: false, records: false });
      const texts: string[] = [];
      for (const request of more[endpoint.name]?.(it) ?? []) texts.push((await caller.call(endpoint, request)).text);
      if (leaksIn(texts.join(), {}).length > 0) said.push(endpoint.name);
    }
    expect(said).toEqual([
      'listRecords',
      'getRecord',
      'listTableHistory',
      'listRecordHistory',
      'getAggregation',
      'getGroupPoints',
      'updateRecords',
      'deleteRecords',
      'createRecords',
      'duplicateRecord',
      'listFields',
      'restoreHistory',
    ]);
  });
});

describe('reading', () => {
  test('lists, single records and counts have the visible records with their visible cells', async () => {
    const {
      as,
      tableId,
      recordIds: [roof, , unseen],
    } = await stage();
    const caller = await as({});
    const { records } = json(await caller.call(listRecords, { params: { tableId } }));
    expect(records.map(({ name, fields }) => [name, fields])).toEqual([
      ['Roof', { Name: 'Roof', Cost: 10 }],
      ['Fence', { Name: 'Fence', Cost: 20 }],
    ]);
    expect(json<{ rowCount: number }>(await caller.call(getRowCount, { params: { tableId } }))).toEqual({
      rowCount: 2,
    });
    expect((await caller.call(getRecord, { params: { tableId, recordId: unseen } })).status).toBe(404);
    expect(json(await caller.call(getRecordStatus, { params: { tableId, recordId: unseen } }))).toEqual({
      isVisible: false,
      isDeleted: true,
    });
    expect(json(await caller.call(getRecordStatus, { params: { tableId, recordId: roof } }))).toEqual({
      isVisible: true,
      isDeleted: false,
    });
  });

  test('naming a field that is not seen is refused as naming one that is not there', async () => {
    const { as, tableId, fieldIds } = await stage();
    const caller = await as({});
    const asked = async (fieldId: string): Promise<unknown[]> => {
      const ordered = JSON.stringify([{ fieldId, order: 'asc' }]);
      const calls: [Declaration, Request['query']][] = [
        [
          listRecords,
          {
            filter: JSON.stringify({
              conjunction: 'and',
              filterSet: [{ fieldId, operator: 'isNotEmpty', value: null }],
            }),
          },
        ],
        [listRecords, { orderBy: ordered }],
        [listRecords, { groupBy: ordered }],
        [listRecords, { projection: [fieldId] }],
        [listRecords, { search: ['x', fieldId] }],
        [getGroupPoints, { groupBy: ordered }],
        [getAggregation, { 'field[filled]': [fieldId] }],
        [getSearchCount, { search: ['x', fieldId] }],
      ];
      const answers: unknown[] = [];
      for (const [endpoint, query] of calls) {
        const { status, text } = await caller.call(endpoint, { params: { tableId }, query: query ?? {} });
        answers.push([status, text.replaceAll(fieldId, '<id>')]);
      }
      return answers;
    };
    const hidden = await asked(fieldIds.text as string);
    expect(hidden.map((answer) => (answer as [number])[0])).toEqual([400, 400, 400, 404, 400, 400, 400, 400]);
    expect(hidden).toEqual(await asked('fld0000000000000000'));
    expect((await caller.call(getField, { params: { tableId, fieldId: fieldIds.text as string } })).status).toBe(404);
  });

  test('the filter of a view holds though it names a hidden field; its sort and groups by one do not', async () => {
    const { as, tableId, viewId } = await stage();
    const caller = await as({});
    const page = json(await caller.call(listRecords, { params: { tableId }, query: { viewId, take: 1 } }));
    // In the order of their numbers, not of the hidden text; the cursor holds no more than that.
    expect(page.records.map(({ name }) => name)).toEqual(['Roof']);
    expect(page.extra.groupPoints).toEqual([]);
    expect(Buffer.from(page.extra.nextCursor as string, 'base64url').toString()).not.toContain('HUSH');
    const next = json(
      await caller.call(listRecords, {
        params: { tableId },
        query: { viewId, take: 1, cursor: page.extra.nextCursor },
      }),
    );
    expect(next.records.map(({ name }) => name)).toEqual(['Fence']);
  });

  test('searches find nothing in hidden cells and records', async () => {
    const {
      as,
      tableId,
      fieldIds,
      recordIds: [roof],
    } = await stage();
    const caller = await as({});
    for (const text of ['HUSH', 'second', 'shown', 'other']) {
      expect(json(await caller.call(listRecords, { params: { tableId }, query: { search: text } })).records).toEqual(
        [],
      );
      expect(json(await caller.call(getSearchCount, { params: { tableId }, query: { search: text } }))).toEqual({
        count: 0,
      });
      expect(
        json<unknown>(await caller.call(getSearchIndex, { params: { tableId }, query: { search: text } })),
      ).toBeNull();
    }
    expect(
      json<unknown>(await caller.call(getSearchIndex, { params: { tableId }, query: { search: 'roof' } })),
    ).toEqual([{ index: 1, fieldId: fieldIds.Name, recordId: roof }]);
  });

  test('statistics and groups are those of the visible records', async () => {
    const { as, tableId, viewId, fieldIds } = await stage();
    const caller = await as({});
    const { aggregations } = json<{ aggregations: { fieldId: string; total: { value: number } }[] }>(
      await caller.call(getAggregation, { params: { tableId }, query: { viewId } }),
    );
    expect(aggregations.map(({ fieldId, total }) => [fieldId, total.value])).toEqual([[fieldIds.Cost, 30]]);
    const points = json<{ value?: unknown; count?: number }[]>(
      await caller.call(getGroupPoints, {
        params: { tableId },
        query: { groupBy: JSON.stringify([{ fieldId: 'Name', order: 'asc' }]) },
      }),
    );
    expect(points.map(({ value, count }) => value ?? count)).toEqual(['Fence', 1, 'Roof', 1]);
  });

  test('fields are those that are seen, and so are the permissions of records', async () => {
    const { as, tableId } = await stage();
    const caller = await as({});
    expect(
      json<{ name: string }[]>(await caller.call(listFields, { params: { tableId } })).map(({ name }) => name),
    ).toEqual(['Name', 'Cost']);
    const [made] = json(
      await caller.call(createRecords, { params: { tableId }, body: { records: [{ fields: { Name: 'New' } }] } }),
    ).records;
    expect(made?.permissions).toEqual({ Name: { read: true, update: true }, Cost: { read: true, update: true } });
  });

  test('a filter of the sight that means nothing any more shows nothing', async () => {
    const { tableId } = await stage();
    const rule: TableRights = {
      fieldIds: null,
      rows: {
        filter: { conjunction: 'and', filterSet: [{ fieldId: 'fldGone', operator: 'is', value: 'shown' }] },
      },
    };
    const caller = await restricted(world(), tenant.owner.token, tableId, rule);
    expect(json(await caller.call(listRecords, { params: { tableId } })).records).toEqual([]);
  });
});

describe('conditions on records', () => {
  const is = (fieldId: string, value: string): RecordCondition => ({
    filter: { conjunction: 'and', filterSet: [{ fieldId, operator: 'is', value }] },
  });

  test('go through links, in any depth, and are joined', async () => {
    const { owner, things } = tenant;
    const params = { baseId: things.baseId };
    const text = (name: string) => ({ name, type: 'singleLineText' as const });
    const customers = must(
      await owner.call(createTable, {
        params,
        body: {
          name: 'Customers',
          fields: [text('Name'), text('Region')],
          records: [{ fields: { Name: 'A', Region: 'north' } }, { fields: { Name: 'B', Region: 'south' } }],
        },
      }),
    );
    const [a, b] = customers.records.map(({ id }) => ({ id })) as [{ id: string }, { id: string }];
    const region = customers.fields[1]?.id as string;
    const orders = must(
      await owner.call(createTable, { params, body: { name: 'Orders', fields: [text('Name')], records: [] } }),
    );
    const link = async (relationship: 'manyOne' | 'manyMany', name: string) =>
      must(
        await owner.call(createField, {
          params: { tableId: orders.id },
          body: { type: 'link', name, options: { relationship, foreignTableId: customers.id } },
        }),
      );
    const [one, several] = [await link('manyOne', 'Customer'), await link('manyMany', 'Others')];
    must(
      await owner.call(createRecords, {
        params: { tableId: orders.id },
        body: {
          records: [
            { fields: { Name: 'none' } },
            { fields: { Name: 'north', Customer: a, Others: [a] } },
            { fields: { Name: 'south', Customer: b, Others: [a, b] } },
          ],
        },
      }),
    );
    const shown = async (rows: RecordCondition): Promise<string[]> => {
      const caller = await restricted(world(), owner.token, orders.id, { fieldIds: null, rows });
      return json(await caller.call(listRecords, { params: { tableId: orders.id } })).records.map(({ name }) => name);
    };
    const north = is(region, 'north');
    const [name, back] = [
      orders.fields[0]?.id as string,
      (one.options as { symmetricFieldId: string }).symmetricFieldId,
    ];
    expect(await shown({ through: one.id, met: north })).toEqual(['none', 'north']);
    expect(await shown({ through: several.id, met: north })).toEqual(['none', 'north']);
    expect(await shown({ through: several.id, met: { any: [north, is(region, 'south')] } })).toHaveLength(3);
    expect(await shown({ any: [is(name, 'none'), is(name, 'south')] })).toEqual(['none', 'south']);
    expect(
      await shown({ all: [{ any: [is(name, 'none'), is(name, 'south')] }, { through: one.id, met: north }] }),
    ).toEqual(['none']);
    // To the customer, and back to their orders.
    expect(await shown({ through: one.id, met: { through: back, met: is(name, 'south') } })).toEqual(['none', 'south']);
    expect([await shown(true), await shown(false), await shown({ any: [] })]).toEqual([
      ['none', 'north', 'south'],
      [],
      [],
    ]);
    // What is not understood lets nothing through, at any depth.
    expect(await shown({ through: 'fldGone', met: true })).toEqual([]);
    expect(await shown({ through: one.id, met: is('fldGone', 'x') })).toEqual(['none']);
    expect(await shown({ filter: { conjunction: 'or', filterSet: [{ conjunction: 'and', filterSet: [] }] } })).toEqual(
      [],
    );
    // The rule of one table is not laid on another: fields and records there are not those of the rule.
    const caller = await restricted(world(), owner.token, orders.id, {
      fieldIds: new Set([name]),
      rows: is(name, 'none'),
    });
    const query = JSON.stringify({ from: customers.id, select: [{ column: region, type: 'field' }] });
    const told = await caller.call(queryBase, { params, query: { query } });
    expect([told.status, told.text]).toEqual([200, expect.stringMatching(/north.*south|south.*north/)]);
  });
});

describe('history and trash', () => {
  test('hold the visible cells of visible records', async () => {
    const {
      as,
      tableId,
      fieldIds,
      recordIds: [roof, fence, unseen],
    } = await stage();
    const caller = await as({});
    const { historyList } = json<{ historyList: { recordId: string; fieldId: string }[] }>(
      await caller.call(listTableHistory, { params: { tableId }, query: {} }),
    );
    expect(historyList.map(({ recordId, fieldId }) => [recordId, fieldId]).toSorted()).toEqual(
      [
        [roof, fieldIds.Cost],
        [fence, fieldIds.Cost],
      ].toSorted(),
    );
    const first = json<{ historyList: { fieldId: string }[] }>(
      await caller.call(listRecordHistory, { params: { tableId, recordId: roof }, query: { includeCreated: true } }),
    );
    expect(first.historyList.map(({ fieldId }) => fieldId).toSorted()).toEqual(
      [fieldIds.Cost, fieldIds.Cost, fieldIds.Name].toSorted(),
    );
    expect(
      json<{ historyList: unknown[] }>(
        await caller.call(listRecordHistory, { params: { tableId, recordId: unseen }, query: {} }),
      ).historyList,
    ).toEqual([]);
  });

  test('undoing an operation brings back what is seen of it and leaves the rest alone', async () => {
    const {
      as,
      tableId,
      operationId,
      recordIds: [roof, fence, unseen],
    } = await stage();
    const restored = json<{ restored: number; recordIds: string[] }>(
      await (await as({})).call(restoreHistory, { params: { tableId }, body: { operationId } }),
    );
    expect([restored.restored, restored.recordIds.toSorted()]).toEqual([2, [roof, fence].toSorted()]);
    const all = (await tenant.owner.call(listRecords, { params: { tableId } })).body.records;
    expect(all.map(({ fields }) => [fields.Cost, fields[`${hiddenCell} text`]])).toEqual([
      [1, `${hiddenCell} third`],
      [2, `${hiddenCell} second`],
      [hiddenCost + 1, `${hiddenRow} second`],
    ]);
    expect(unseen).toBe(all[2]?.id);
  });

  test('deleted records are not there for somebody who does not see all, and have no name where it is hidden', async () => {
    const { as, tableId, fieldIds } = await stage();
    const query = { resourceType: 'table', resourceId: tableId };
    type Trash = { trashItems: { id: string; resourceType: string }[]; resourceMap: Record<string, { name: string }> };
    const none = json<Trash>(await (await as({})).call(listTrashItems, { query }));
    expect([none.trashItems, none.resourceMap]).toEqual([[], {}]);
    const all = json<Trash>(await (await as({ records: false })).call(listTrashItems, { query }));
    const item = all.trashItems.find(({ resourceType }) => resourceType === 'record');
    expect((await (await as({})).call(restoreTrash, { params: { trashId: item?.id as string } })).status).toBe(404);
    const nameless: TableRights = { fieldIds: new Set([fieldIds.Cost as string]), rows: true };
    const unnamed = json<Trash>(
      await (await restricted(world(), tenant.owner.token, tableId, nameless)).call(listTrashItems, { query }),
    );
    expect(Object.values(unnamed.resourceMap).map(({ name }) => name)).toEqual(['']);
  });
});

test('a table can be copied by somebody who sees all of it', async () => {
  const { as, tableId } = await stage();
  const request = { params: { baseId: tenant.things.baseId, tableId }, body: { name: 'Copy', includeRecords: true } };
  for (const sight of [{ records: false }, { fields: false }])
    expect((await (await as(sight)).call(duplicateTable, request)).status).toBe(403);
  expect((await (await as({ fields: false, records: false })).call(duplicateTable, request)).status).toBe(201);
});

describe('writing', () => {
  test('records that are not seen cannot be changed, moved, copied or deleted, nor can cells be named', async () => {
    const {
      as,
      tableId,
      viewId,
      fieldIds,
      recordIds: [roof, , unseen],
    } = await stage();
    const caller = await as({});
    const before = (await tenant.owner.call(listRecords, { params: { tableId } })).body.records;
    const refused: [Declaration, Request][] = [
      [updateRecord, { params: { tableId, recordId: unseen }, body: { record: { fields: { Cost: 1 } } } }],
      [
        updateRecords,
        {
          params: { tableId },
          body: {
            records: [
              { id: roof, fields: { Cost: 1 } },
              { id: unseen, fields: { Cost: 1 } },
            ],
          },
        },
      ],
      [
        updateRecord,
        { params: { tableId, recordId: roof }, body: { record: { fields: { [`${hiddenCell} text`]: 'x' } } } },
      ],
      [createRecords, { params: { tableId }, body: { records: [{ fields: { [`${hiddenCell} text`]: 'x' } }] } }],
      [
        createRecords,
        {
          params: { tableId },
          body: { records: [{ fields: {} }], order: { viewId, anchorId: unseen, position: 'after' } },
        },
      ],
      [deleteRecord, { params: { tableId, recordId: unseen } }],
      [duplicateRecord, { params: { tableId, recordId: unseen } }],
      [moveRecords, { params: { tableId, viewId }, body: { recordIds: [unseen], anchorId: roof, position: 'before' } }],
      [moveRecords, { params: { tableId, viewId }, body: { recordIds: [roof], anchorId: unseen, position: 'before' } }],
      [getField, { params: { tableId, fieldId: fieldIds.group as string } }],
    ];
    for (const [endpoint, request] of refused)
      expect([endpoint.name, (await caller.call(endpoint, request)).status]).toEqual([endpoint.name, 404]);
    expect(
      (await caller.call(deleteRecords, { params: { tableId }, query: { recordIds: [roof, unseen] } })).status,
    ).toBe(400);
    expect((await tenant.owner.call(listRecords, { params: { tableId } })).body.records).toEqual(before);
  });

  test('answers show what is seen, and what is not seen is written, kept and copied as meant', async () => {
    const {
      as,
      tableId,
      fieldIds,
      recordIds: [roof, fence],
    } = await stage();
    const byId = (name: string, cost: number) => ({ [fieldIds.Name as string]: name, [fieldIds.Cost as string]: cost });
    const caller = await as({});
    const updated = json<{ fields: unknown }>(
      await caller.call(updateRecord, {
        params: { tableId, recordId: roof },
        body: { record: { fields: { Cost: 11 } } },
      }),
    );
    expect(updated.fields).toEqual({ Name: 'Roof', Cost: 11 });
    const [copy] = json(await caller.call(duplicateRecord, { params: { tableId, recordId: roof } })).records;
    expect(copy?.fields).toEqual(byId('Roof', 11));
    const [made] = json(
      await caller.call(createRecords, { params: { tableId }, body: { records: [{ fields: { Name: 'New' } }] } }),
    ).records;
    expect([made?.name, made?.fields]).toEqual(['New', { Name: 'New' }]);
    const whole = (await tenant.owner.call(getRecord, { params: { tableId, recordId: made?.id as string } })).body;
    expect(whole.fields[`${hiddenCell} default`]).toBe(`${hiddenCell} default`);
    // The whole record is in the trash, although its deletion was answered in part.
    const deleted = await caller.call(deleteRecord, { params: { tableId, recordId: fence } });
    expect(json<{ fields: unknown }>(deleted).fields).toEqual(byId('Fence', 20));
    await tenant.owner.call(restoreHistory, {
      params: { tableId },
      body: { operationId: deleted.headers['x-operation-id'] as string },
    });
    expect(
      (await tenant.owner.call(getRecord, { params: { tableId, recordId: fence } })).body.fields[`${hiddenCell} text`],
    ).toBe(`${hiddenCell} second`);
  });
});

describe('events', () => {
  const eventsIn = (text: string): [string, Record<string, unknown>][] =>
    [...text.matchAll(/^event: (\S+)\n(?:id: .*\n)?data: (.*)$/gm)].map(([, name, data]) => [
      name as string,
      JSON.parse(data as string) as Record<string, unknown>,
    ]);

  const changesHeard = async (
    sight: { fields?: boolean; records?: boolean },
    values: boolean,
  ): Promise<{ it: Stage; events: [string, Record<string, unknown>][]; text: string }> => {
    const it = await stage();
    const {
      tableId,
      recordIds: [roof, fence, unseen],
    } = it;
    const { call } = tenant.owner;
    const stream = await (await it.as(sight)).listen(listenToTable, { params: { tableId }, query: { values } });
    try {
      while (!stream.heard().includes('event: ready')) await setTimeout(10);
      await call(updateRecord, {
        params: { tableId, recordId: unseen },
        body: { record: { fields: { Cost: hiddenCost } } },
      });
      await call(updateRecord, {
        params: { tableId, recordId: roof },
        body: { record: { fields: { [`${hiddenCell} text`]: `${hiddenCell} fourth` } } },
      });
      await call(createRecords, { params: { tableId }, body: { records: [{ fields: { Name: hiddenRow } }] } });
      await call(updateRecord, {
        params: { tableId, recordId: roof },
        body: { record: { fields: { Cost: 12, [`${hiddenCell} text`]: `${hiddenCell} fifth` } } },
      });
      await call(deleteRecord, { params: { tableId, recordId: fence } });
      await call(updateRecord, { params: { tableId, recordId: roof }, body: { record: { fields: { Name: 'Last' } } } });
      while (
        !eventsIn(stream.heard()).some(
          ([, { operationId, recordIds }]) =>
            operationId !== undefined &&
            JSON.stringify(recordIds) === JSON.stringify([roof]) &&
            stream.heard().split('records.updated').length > (sight.records === false ? 3 : 5),
        )
      )
        await setTimeout(10);
      return {
        it,
        events: eventsIn(stream.heard()).filter(([name]) => name.startsWith('records.')),
        text: stream.heard(),
      };
    } finally {
      stream.close();
    }
  };

  test.each([true, false])(
    'tell what is seen, and of the rest at most that there is something to read again (values: %s)',
    async (values) => {
      const {
        it: {
          fieldIds,
          recordIds: [roof],
        },
        events,
        text,
      } = await changesHeard({}, values);
      expect(leaksIn(text, {})).toEqual([]);
      expect(
        events.map(([name, { recordIds, fieldIds: changed, recordsOmitted }]) => [
          name,
          recordIds,
          changed,
          recordsOmitted ?? false,
        ]),
      ).toEqual([
        ['records.updated', [], [fieldIds.Cost], true],
        ['records.updated', [], [], true],
        ['records.updated', [roof], [fieldIds.Cost], false],
        ['records.updated', [], [], true],
        ['records.updated', [roof], [fieldIds.Name], false],
      ]);
      if (values) expect(events[2]?.[1].records).toEqual([{ id: roof, fields: { [fieldIds.Cost as string]: 12 } }]);
    },
  );

  test('a change of hidden cells alone is not told to somebody who sees every record', async () => {
    const {
      it: {
        recordIds: [roof, fence, unseen],
      },
      events,
      text,
    } = await changesHeard({ records: false }, true);
    expect(leaksIn(text, { records: false })).toEqual([]);
    expect(events.map(([name, { recordIds }]) => [name, (recordIds as string[])[0]])).toEqual([
      ['records.updated', unseen],
      ['records.created', expect.any(String)],
      ['records.updated', roof],
      ['records.deleted', fence],
      ['records.updated', roof],
    ]);
  });
});
