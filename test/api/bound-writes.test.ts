// What members write whom rules bind, with roles that were set up by the operations of the matrix: links, conditions on what is computed, forms, imports, upserts, pastes, buttons,
// undo. Whatever the door, the same grants decide, and nothing that is refused tells of what is hidden.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { pressButton } from '@rowhouse/contract/button.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { submitForm } from '@rowhouse/contract/form.ts';
import { listRecordHistory } from '@rowhouse/contract/history.ts';
import { importRecords } from '@rowhouse/contract/import.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import {
  createRecords,
  duplicateRecord,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
  upsertRecords,
} from '@rowhouse/contract/record.ts';
import {
  clearRanges,
  copyRanges,
  deleteRanges,
  deleteSelection,
  getIdsOfRanges,
  pasteIntoRanges,
  previewPaste,
} from '@rowhouse/contract/selection.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { redo, undo } from '@rowhouse/contract/undo-redo.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { everyAction, type RealGrant, setRoles, when } from '../support/matrix.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld(
  {},
  { plans: plansWith({ free: { advancedPermissionsEnable: true, buttonFieldEnable: true } }) },
);

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

/** What a refusal says, without what it was asked about. */
const told = ({ status, error }: { status: number; error: unknown }, ...ids: readonly string[]): string =>
  ids.reduce(
    (text, id) => text.replaceAll(id, '…'),
    JSON.stringify([status, error]).replaceAll(/"requestId":"[^"]*"|20\d\d-\d\d-\d\dT[\d:.]+Z/g, ''),
  );

let shop: Workshop;
let bound: Person;
beforeAll(async () => {
  shop = await openWorkshop(world());
  bound = await member(world(), shop.owner, shop.baseId, 'editor');
});

const idsOf = ({ fields }: Pick<FullTable, 'fields'>): Record<string, string> =>
  Object.fromEntries(fields.map(({ id, name }) => [name, id]));

const add = async (tableId: string, body: object) =>
  must(await shop.owner.call(createField, { params: { tableId }, body: body as never }));

const make = async (tableId: string, cells: object, who: Person = shop.owner): Promise<string> =>
  must(
    await who.call(createRecords, {
      params: { tableId },
      body: { fieldKeyType: 'name', records: [{ fields: cells }] } as never,
    }),
  ).records[0]?.id as string;

const change = (who: Person, tableId: string, recordId: string, cells: object, headers: object = {}) =>
  who.call(updateRecord, {
    params: { tableId, recordId },
    body: { fieldKeyType: 'name', record: { fields: cells } },
    headers,
  } as never);

const cells = async (tableId: string, recordId: string, who: Person = shop.owner) =>
  must(await who.call(getRecord, { params: { tableId, recordId }, query: { fieldKeyType: 'name' } })).fields;

const list = async (tableId: string, who: Person = shop.owner) =>
  must(await who.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'name', take: 1000 } as never }))
    .records;

describe('links', () => {
  let people: FullTable;
  let tasks: FullTable;
  let task: Record<string, string>;
  const person: Record<string, string> = {};
  const none = 'recNoneNoneNoneNon1';

  beforeAll(async () => {
    people = await shop.table({
      name: 'People',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Team', type: 'singleLineText' },
        { name: 'Cost', type: 'number' },
      ] as never,
      records: [],
    });
    for (const [Name, Team, Cost] of [
      ['Ada', 'red', 1],
      ['Bob', 'red', 5],
      ['Cyd', 'blue', 7],
      ['Dan', 'blue', 9],
    ] as const)
      person[Name] = await make(people.id, { Name, Team, Cost });
    tasks = await shop.table({
      name: 'Tasks',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Limit', type: 'number' },
      ] as never,
      records: [],
    });
    task = idsOf(tasks);
    const linkTo = { foreignTableId: people.id };
    const many = await add(tasks.id, { name: 'Crew', type: 'link', options: { ...linkTo, relationship: 'manyMany' } });
    const one = await add(tasks.id, { name: 'Lead', type: 'link', options: { ...linkTo, relationship: 'manyOne' } });
    task['Crew'] = many.id;
    task['Lead'] = one.id;
    const cost = idsOf(people)['Cost'];
    const sum = await add(tasks.id, {
      name: 'Total',
      type: 'rollup',
      options: { expression: 'sum({values})' },
      lookupOptions: { foreignTableId: people.id, linkFieldId: many.id, lookupFieldId: cost },
    });
    const lead = await add(tasks.id, {
      name: 'Lead cost',
      type: 'number',
      isLookup: true,
      lookupOptions: { foreignTableId: people.id, linkFieldId: one.id, lookupFieldId: cost },
    });
    task['Total'] = sum.id;
    task['Lead cost'] = lead.id;
  });

  const rules = (given: Partial<RealGrant> = {}, ofPeople: Partial<RealGrant> = {}) =>
    setRoles(shop.owner, shop.baseId, [
      {
        members: [bound.userId],
        tables: {
          [tasks.id]: { grants: [{ actions: everyAction, ...given }] },
          [people.id]: {
            grants: [{ actions: everyAction, when: when(idsOf(people)['Team'], 'is', 'red'), ...ofPeople }],
          },
        },
      },
    ]);

  test('writing a list keeps what is not seen of it, also at the other end; a single hidden one is in the way', async () => {
    await rules();
    const link = (...names: string[]) => names.map((name) => ({ id: person[name] }));
    const id = await make(tasks.id, { Name: 'a', Crew: link('Ada', 'Cyd', 'Bob', 'Dan'), Lead: { id: person['Cyd'] } });
    const shown = await cells(tasks.id, id, bound);
    expect(shown).toMatchObject({ Crew: [{ id: person['Ada'] }, { id: person['Bob'] }] });
    expect(shown).not.toHaveProperty('Lead');
    expect(must(await change(bound, tasks.id, id, { Crew: link('Bob') })).fields).toMatchObject({
      Crew: [{ id: person['Bob'] }],
    });
    const kept = async () => ((await cells(tasks.id, id))['Crew'] as { id: string }[]).map((one) => one.id);
    expect(await kept()).toEqual(link('Bob', 'Cyd', 'Dan').map((one) => one.id));
    must(await change(bound, tasks.id, id, { Crew: null }));
    expect(await kept()).toEqual(link('Cyd', 'Dan').map((one) => one.id));
    const refused = await change(bound, tasks.id, id, { Lead: { id: person['Ada'] } });
    expect([refused.status, JSON.stringify(refused.error)]).toEqual([
      403,
      expect.not.stringContaining(person['Cyd'] as string),
    ]);
    expect((await change(bound, tasks.id, id, { Lead: null })).status).toBe(403);
    // From the other end the tasks of a person are a list, too.
    const hiddenTask = await make(tasks.id, { Name: 'hidden', Limit: 99, Crew: link('Ada') });
    await rules({ when: when(task['Limit'], 'isEmpty', null) });
    const back = people.fields.length === 3 ? 'Tasks' : '';
    must(await change(bound, people.id, person['Ada'] as string, { [back]: [{ id }] }));
    const both = ((await cells(people.id, person['Ada'] as string))[back] as { id: string }[]).map((one) => one.id);
    expect(both.toSorted()).toEqual([id, hiddenTask].toSorted());
  });

  test('they undo what they changed of a list of which they see a part; what is not seen stays in it', async () => {
    await rules();
    const link = (...names: string[]) => names.map((name) => ({ id: person[name] }));
    const id = await make(tasks.id, { Name: 'undone', Crew: link('Ada', 'Cyd', 'Bob', 'Dan') });
    const headers = { 'x-window-id': 'bound-links' };
    const crew = async () => ((await cells(tasks.id, id))['Crew'] as { title: string }[]).map(({ title }) => title);
    const step = async (endpoint: typeof undo | typeof redo) =>
      must(await bound.call(endpoint, { params: { tableId: tasks.id }, headers } as never));
    must(await change(bound, tasks.id, id, { Crew: link('Bob') }, headers));
    expect(await step(undo)).toMatchObject({ status: 'fulfilled' });
    expect(await crew()).toEqual(['Ada', 'Bob', 'Cyd', 'Dan']);
    expect(await step(redo)).toMatchObject({ status: 'fulfilled' });
    expect(await crew()).toEqual(['Bob', 'Cyd', 'Dan']);
    // What it took away is not seen any more: it cannot be undone as a whole.
    must(await change(shop.owner, people.id, person['Ada'] as string, { Team: 'blue' }));
    const failed = await step(undo);
    expect([failed.status, JSON.stringify(failed)]).toEqual(['failed', expect.not.stringMatching(/Ada|Cyd|Dan/)]);
    expect(await crew()).toEqual(['Bob', 'Cyd', 'Dan']);
    must(await change(shop.owner, people.id, person['Ada'] as string, { Team: 'red' }));
    must(await change(bound, tasks.id, id, { Crew: null }, headers));
    expect(await step(undo)).toMatchObject({ status: 'fulfilled' });
    expect(await crew()).toEqual(['Bob', 'Cyd', 'Dan']);
    // History shows entries of such links to nobody who sees a part of them.
    const told = must(await bound.call(listRecordHistory, { params: { tableId: tasks.id, recordId: id }, query: {} }));
    expect(JSON.stringify(told)).not.toMatch(/Cyd|Dan/);
  });

  test('a record that is not seen cannot be linked to, and is not told from one that is not there', async () => {
    await rules();
    const id = await make(tasks.id, { Name: 'b' });
    const hidden = person['Cyd'] as string;
    for (const cell of [(one: string) => ({ Crew: [{ id: one }] }), (one: string) => ({ Lead: { id: one } })]) {
      const [unseen, absent] = [
        await change(bound, tasks.id, id, cell(hidden)),
        await change(bound, tasks.id, id, cell(none)),
      ];
      expect(unseen.status).toBe(400);
      expect(told(unseen, hidden)).toBe(told(absent, none));
    }
    const byTitle = (title: string) =>
      bound.call(updateRecords, {
        params: { tableId: tasks.id },
        body: { fieldKeyType: 'name', typecast: true, records: [{ id, fields: { Crew: title } }] } as never,
      });
    const answers = [await byTitle('Cyd'), await byTitle('Nobody')].map((answer) => told(answer, 'Cyd', 'Nobody'));
    expect(answers[0]).toBe(answers[1]);
    expect(await cells(tasks.id, id)).not.toHaveProperty('Crew.0.title', 'Cyd');
  });

  test('a condition afterwards on what is computed through links is asked when it was computed', async () => {
    await rules({ after: when(task['Total'], 'isLessEqual', 6) }, { when: undefined });
    const before = (await list(tasks.id)).length;
    const crew = (...names: string[]) => ({ Crew: names.map((name) => ({ id: person[name] })) });
    const create = (given: object) =>
      bound.call(createRecords, {
        params: { tableId: tasks.id },
        body: {
          fieldKeyType: 'name',
          records: [{ fields: { Name: 'fine', ...crew('Ada') } }, { fields: given }],
        } as never,
      });
    const refused = await create({ Name: 'dear', ...crew('Dan') });
    expect([refused.status, (refused.error as { data?: { indexes?: number[] } }).data?.indexes]).toEqual([403, [1]]);
    expect((await list(tasks.id)).length).toBe(before);
    const [, id] = must(await create({ Name: 'cheap', ...crew('Bob') })).records.map((one) => one.id) as [
      string,
      string,
    ];
    expect((await change(bound, tasks.id, id, crew('Bob', 'Cyd'))).status).toBe(403);
    expect(await cells(tasks.id, id)).toMatchObject({ Total: 5 });
    must(await change(bound, tasks.id, id, crew('Ada', 'Bob')));
    expect(await cells(tasks.id, id)).toMatchObject({ Total: 6 });
    // By its other end: nothing is asked of the task there, which is not what is written.
    await rules({ after: when(task['Lead cost'], 'isEmpty', null) }, { when: undefined });
    expect((await change(bound, tasks.id, id, { Lead: { id: person['Ada'] } })).status).toBe(403);
    expect(await cells(tasks.id, id)).not.toHaveProperty('Lead');
  });
});

describe('one table', () => {
  let table: FullTable;
  let at: Record<string, string>;
  let viewId: string;
  const mark = 'hushhush4711';

  beforeAll(async () => {
    table = await shop.table({
      name: 'Orders',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'State', type: 'singleLineText' },
        { name: 'Amount', type: 'number' },
        { name: 'Secret', type: 'singleLineText' },
        { name: 'Code', type: 'singleLineText', unique: true },
      ] as never,
      records: [],
    });
    at = idsOf(table);
    const button = await add(table.id, {
      name: 'Go',
      type: 'button',
      options: { label: 'Go', maxCount: 1 },
    });
    at['Go'] = button.id;
    viewId = table.defaultViewId as string;
  });

  /** Open orders whole but for the secret; the secret of those that are theirs. */
  const rules = (given: Partial<RealGrant> = {}, more: readonly RealGrant[] = []) =>
    setRoles(shop.owner, shop.baseId, [
      {
        members: [bound.userId],
        tables: {
          [table.id]: {
            grants: [
              {
                actions: everyAction,
                fields: ['Name', 'State', 'Amount', 'Code', 'Go'].map((name) => at[name] as string),
                when: when(at['State'], 'is', 'open'),
                ...given,
              },
              ...more,
            ],
          },
        },
      },
    ]);
  const params = () => ({ tableId: table.id });

  test('an upsert finds records that are seen; a value that a hidden one has is told as taken, without by whom', async () => {
    await rules();
    const [open, shut] = [
      await make(table.id, { Name: 'seen', State: 'open' }),
      await make(table.id, { Name: 'hidden', State: 'shut', Code: 'c1', Secret: mark }),
    ];
    const upsert = (...records: object[]) =>
      bound.call(upsertRecords, {
        params: params(),
        body: { fieldKeyType: 'name', matchFields: ['Name'], records: records.map((fields) => ({ fields })) } as never,
      });
    const done = must(
      await upsert({ Name: 'seen', Amount: 5, State: 'open' }, { Name: 'hidden', Amount: 6, State: 'open' }),
    ) as unknown as { created: { id: string }[]; updated: { id: string }[] };
    expect([done.updated.map((one) => one.id), done.created.map((one) => one.id).includes(shut)]).toEqual([
      [open],
      false,
    ]);
    expect(await cells(table.id, shut)).not.toHaveProperty('Amount');
    const taken = await upsert({ Name: 'fresh', State: 'open', Code: 'c1' });
    expect(taken.status).toBe(400);
    expect(JSON.stringify(taken.error)).not.toMatch(new RegExp(`${shut}|${mark}`));
    const byField = (name: string) =>
      bound.call(upsertRecords, {
        params: params(),
        body: { fieldKeyType: 'name', matchFields: [name], records: [{ fields: { [name]: mark } }] } as never,
      });
    expect(told(await byField('Secret'), 'Secret')).toBe(told(await byField('Nothing'), 'Nothing'));
    // A new record that does not meet the condition is refused with its place.
    const outside = await upsert({ Name: 'one', State: 'open' }, { Name: 'two', State: 'shut' });
    expect([outside.status, (await list(table.id)).some(({ name }) => name === 'one')]).toEqual([403, false]);
  });

  test('ranges are those of the records and fields that are seen: copied, pasted, cleared, deleted', async () => {
    const grid = must(
      await shop.owner.call(createView, { params: params(), body: { type: 'grid', name: 'All' } as never }),
    ).id;
    await rules();
    for (const { id } of await list(table.id))
      must(await change(shop.owner, table.id, id, { State: 'shut', Code: null }));
    const made: string[] = [];
    for (const [n, State] of ['open', 'shut', 'open', 'shut', 'open'].entries())
      made.push(await make(table.id, { Name: `n${n}`, State, Amount: n, Secret: mark }));
    const [a, , b, , c] = made as [string, string, string, string, string];
    const ranges = JSON.stringify([
      [0, 0],
      [9, 2],
    ]);
    const found = must(
      await bound.call(getIdsOfRanges, {
        params: params(),
        query: { viewId: grid, ranges, returnType: 'all' } as never,
      }),
    );
    expect(found).toMatchObject({ recordIds: [a, b, c] });
    expect(JSON.stringify(found)).not.toContain(at['Secret']);
    const copied = must(await bound.call(copyRanges, { params: params(), query: { viewId: grid, ranges } as never }));
    expect(JSON.stringify(copied)).not.toContain(mark);
    expect(copied.content).not.toMatch(/\bn[13]\b/);
    const paste = (content: string, row = 0) =>
      bound.call(pasteIntoRanges, {
        params: params(),
        body: {
          viewId: grid,
          ranges: [
            [0, row],
            [0, row],
          ],
          content,
        } as never,
      });
    expect(
      (
        await bound.call(previewPaste, {
          params: params(),
          body: {
            viewId: grid,
            ranges: [
              [0, 0],
              [0, 0],
            ],
            content: 'x\tshut',
          } as never,
        })
      ).status,
    ).toBe(200);
    must(await paste('p0\topen\np1\topen', 1));
    expect((await list(table.id)).map(({ name }) => name).filter((name) => /^[np]\d$/.test(String(name)))).toEqual([
      'n0',
      'n1',
      'p0',
      'n3',
      'p1',
    ]);
    // What hangs over the end makes records, which have to meet the condition.
    expect((await paste('q0\topen\nq1\tshut', 2)).status).toBe(403);
    must(await paste('q0\topen\nq1\topen', 2));
    const names = (await list(table.id)).map(({ name }) => name);
    expect(names.slice(-2)).toEqual(['q0', 'q1'].slice(0, 1).concat('q1').slice(-2));
    must(
      await bound.call(clearRanges, {
        params: params(),
        body: {
          viewId: grid,
          ranges: [
            [2, 0],
            [9, 0],
          ],
        } as never,
      }),
    );
    expect(await cells(table.id, a)).toMatchObject({ Secret: mark });
    expect(await cells(table.id, a)).not.toHaveProperty('Amount');
    must(
      await bound.call(deleteRanges, {
        params: params(),
        query: {
          viewId: grid,
          ranges: JSON.stringify([
            [0, 0],
            [0, 1],
          ]),
        } as never,
      }),
    );
    const left = (await list(table.id)).map(({ id }) => id);
    expect([a, b].map((id) => left.includes(id))).toEqual([false, false]);
    expect(made.filter((_, n) => n % 2 === 1).every((id) => left.includes(id))).toBe(true);
    const [hidden] = made.filter((_, n) => n % 2 === 1) as [string];
    const gone = (id: string) =>
      bound.call(deleteSelection, { params: params(), body: { selection: { recordIds: [id] } } as never });
    expect(told(await gone(hidden), hidden)).toBe(told(await gone('recNoneNoneNoneNon1'), 'recNoneNoneNoneNon1'));
  });

  test('a form takes what may be filled in, and its answer has to meet the condition', async () => {
    const form = must(
      await shop.owner.call(createView, { params: params(), body: { type: 'form', name: 'Ask' } as never }),
    ).id;
    await rules();
    const submit = (fields: object) =>
      bound.call(submitForm, { params: params(), body: { viewId: form, fields } as never });
    const filled = must(await submit({ [at['Name'] as string]: 'by form' }));
    expect(await cells(table.id, filled.id)).toMatchObject({ Name: 'by form', State: 'open' });
    expect((await submit({ [at['Name'] as string]: 'x', [at['State'] as string]: 'shut' })).status).toBe(403);
    const [secret, unknown] = [
      await submit({ [at['Secret'] as string]: 'x' }),
      await submit({ fldNoneNoneNoneNon1: 'x' }),
    ];
    expect(told(secret, at['Secret'] as string)).toBe(told(unknown, 'fldNoneNoneNoneNon1'));
    await rules({ actions: everyAction.filter((one) => one !== 'record|create') });
    expect((await submit({ [at['Name'] as string]: 'x' })).status).toBe(403);
  });

  test('copying a record, and placing one beside another, take what is seen', async () => {
    await rules();
    const [open, shut] = [
      await make(table.id, { Name: 'copied', State: 'open', Secret: mark }),
      await make(table.id, { Name: 'not', State: 'shut' }),
    ];
    const copy = must(await bound.call(duplicateRecord, { params: { ...params(), recordId: open } } as never)) as {
      id?: string;
      records?: { id: string }[];
    };
    expect(await cells(table.id, (copy.id ?? copy.records?.[0]?.id) as string)).not.toHaveProperty('Secret');
    const beside = (anchorId: string) =>
      bound.call(createRecords, {
        params: params(),
        body: {
          fieldKeyType: 'name',
          records: [{ fields: { Name: 'z', State: 'open' } }],
          order: { viewId, anchorId, position: 'after' },
        } as never,
      });
    expect(told(await beside(shut), shut)).toBe(told(await beside('recNoneNoneNoneNon1'), 'recNoneNoneNoneNon1'));
    const refused = await bound.call(duplicateRecord, { params: { ...params(), recordId: shut } } as never);
    expect(refused.status).toBe(404);
  });

  test('an import writes by the rules, and what it reports of refused rows names no hidden record', async () => {
    await rules();
    await make(table.id, { Name: 'holder', State: 'shut', Code: 'k1', Secret: mark });
    const body = { contentType: 'text/csv', contentLength: 52, type: 5 };
    const text = 'Name,State,Code\ni1,open,k0\ni2,shut,k2\ni3,open,k1\n'.padEnd(52, '\n');
    const { url, token } = must(await bound.call(createFileSignature, { body: body as never }));
    await fetch(url, { method: 'PUT', body: text, headers: { 'content-type': 'text/csv' } });
    const { presignedUrl } = must(await bound.call(notifyFile, { params: { token }, query: { filename: 'a.csv' } }));
    const started = await bound.call(importRecords, {
      params: { baseId: shop.baseId, tableId: table.id },
      body: {
        attachmentUrl: presignedUrl,
        fileType: 'csv',
        insertConfig: {
          sourceWorkSheetKey: 'Import Table',
          excludeFirstRow: true,
          sourceColumnMap: { [at['Name'] as string]: 0, [at['State'] as string]: 1, [at['Code'] as string]: 2 },
        },
      } as never,
    });
    const jobId = started.headers.get('x-job-id') as string;
    const job = async (who: Person) => must(await who.call(getJob, { params: { jobId } }));
    let ended = await job(bound);
    while (['waiting', 'running'].includes(ended.state)) {
      await sleep(50);
      ended = await job(bound);
    }
    expect(JSON.stringify(ended)).not.toMatch(new RegExp(`${mark}|holder`));
    const names = (await list(table.id)).map(({ name }) => name).filter((name) => /^i\d$/.test(String(name)));
    expect(names, JSON.stringify(ended)).not.toContain('i2');
    expect(names).not.toContain('i3');
    const other = await member(world(), shop.owner, shop.baseId, 'editor');
    expect((await other.call(getJob, { params: { jobId } })).status).toBe(404);
  });

  test('a button of a record that is not seen is not there, however often it was pressed', async () => {
    await rules();
    const [open, shut] = [
      await make(table.id, { Name: 'b1', State: 'open' }),
      await make(table.id, { Name: 'b2', State: 'shut' }),
    ];
    const press = (who: Person, recordId: string) =>
      who.call(pressButton, { params: { ...params(), recordId, fieldId: at['Go'] as string } });
    expect((await press(shop.owner, shut)).status).toBe(200);
    expect(told(await press(bound, shut), shut)).toBe(
      told(await press(bound, 'recNoneNoneNoneNon1'), 'recNoneNoneNoneNon1'),
    );
    expect((await press(bound, open)).status).toBe(200);
    expect((await press(bound, open)).status).toBe(409);
    // Seen, and no grant to change it.
    await rules({ update: [] });
    const other = await make(table.id, { Name: 'b3', State: 'open' });
    expect((await press(bound, other)).status).toBe(403);
    // Hidden in this record alone: how often it was pressed is not told.
    const without = ['Name', 'State'].map((name) => at[name] as string);
    await rules({ fields: without }, [
      { actions: everyAction, fields: [at['Go'] as string], when: when(at['Amount'], 'is', 1) },
    ]);
    const masked = await press(bound, open);
    expect([masked.status, JSON.stringify(masked.error)]).toEqual([403, expect.not.stringMatching(/pressed|times/)]);
  });

  test('what they undo and redo is written by the rules of the moment, as a whole or not at all', async () => {
    await rules();
    const headers = { 'x-window-id': 'bound-writes-1' };
    const [one, two] = [
      await make(table.id, { Name: 'u1', State: 'open', Amount: 1 }),
      await make(table.id, { Name: 'u2', State: 'open', Amount: 1 }),
    ];
    const both = (Amount: number) =>
      bound.call(updateRecords, {
        params: params(),
        body: { fieldKeyType: 'name', records: [one, two].map((id) => ({ id, fields: { Amount } })) },
        headers,
      } as never);
    const step = async (endpoint: typeof undo | typeof redo) =>
      must(await bound.call(endpoint, { params: params(), headers } as never));
    must(await both(2));
    expect(await step(undo)).toMatchObject({ status: 'fulfilled' });
    expect((await cells(table.id, two))['Amount']).toBe(1);
    expect(await step(redo)).toMatchObject({ status: 'fulfilled' });
    // One of the two has left what they see: nothing of the step is undone, and nothing is told of the record.
    must(await change(shop.owner, table.id, two, { State: 'shut', Name: mark }));
    const failed = await step(undo);
    expect(failed).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(failed)).not.toContain(mark);
    expect([(await cells(table.id, one))['Amount'], (await cells(table.id, two))['Amount']]).toEqual([2, 2]);
    // The record is back, but the cell is not theirs to write any more.
    must(await change(shop.owner, table.id, two, { State: 'open', Name: 'u2' }));
    must(await both(3));
    await rules({ update: [at['Name'] as string] });
    expect(await step(undo)).toMatchObject({ status: 'failed' });
    expect((await cells(table.id, one))['Amount']).toBe(3);
  });
});
