// A public view never shows more than somebody decided, whatever changes around it. `npm run proof -- isolation` walks all the
// changes; here is one that deletes, one that converts, one of choices and one of tables.
import { queryBase } from '@rowhouse/contract/base-query.ts';
import { convertField, deleteField, updateField } from '@rowhouse/contract/field.ts';
import { createRecords, updateRecord } from '@rowhouse/contract/record.ts';
import {
  listenToShare,
  listShareLinkRecords,
  listShareRecords,
  setShareMeta,
  submitShareForm,
} from '@rowhouse/contract/share.ts';
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { undo } from '@rowhouse/contract/undo-redo.ts';
import { getView, setViewFilter } from '@rowhouse/contract/view.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { changes } from '../../proof/isolation/holds-changes.ts';
import { good, type HoldsWorld, lookAround, mark, openHolds } from '../../proof/isolation/holds-world.ts';
import { caller } from '../support/caller.ts';
import { cases } from '../support/cases.ts';
import { hold, untilWaiting } from '../support/interleave.sql.ts';
import { person } from '../support/people.ts';
import { newSpace } from '../support/workspace.ts';
import { type LocalWorld, openWorld, useWorld } from '../support/world.ts';

const world = useWorld();
let second: LocalWorld;
let holds: HoldsWorld;
let all: string[];
beforeAll(async () => {
  const owner = await person(world());
  holds = await openHolds(owner, world().baseUrl, await newSpace(owner));
  all = holds.shares.map(({ name }) => name);
  second = await openWorld(world().databaseUrl);
});
afterAll(() => second.close());

const shareOf = (name: string): HoldsWorld['shares'][number] =>
  holds.shares.find((share) => share.name === name) as HoldsWorld['shares'][number];
const isHeld = async ({ path }: HoldsWorld['shares'][number]): Promise<boolean> =>
  good(await holds.owner.call(getView, { params: path })).isShareHeld === true;

/** The shares that each holds. */
const kinds: Record<string, RegExp> = {
  'C.Text is deleted': /A: Name|Lookup|Rollup|Over|Formula|own filter|view/,
  'B.toC is deleted': /Lookup|Rollup|Over|Formula|B: Choice|own filter|view/,
  'C.Text becomes a number': /A: Name|Lookup|Rollup|Over|Formula|own filter|view/,
  'B.toC becomes text': /Lookup|Rollup|Over|Formula|B: Choice|own filter|view/,
  'A.toB becomes text': /Lookup|Rollup|Over|toB|own filter|view/,
  'A.Own: a choice is deleted': /Own|form by choice/,
  'A.Own: a choice is renamed': /OfOwn|form by choice/,
  'A.Own: a choice is added': /^$/,
  'A.Tags becomes text': /Tags/,
  'C.Choice: a choice is renamed': /B: Choice|A: Name/,
  'table C goes to the trash': /Lookup|Rollup|Over|Formula|B: Choice|A: Name|own filter|view/,
  'a field has another name': /^$/,
};

describe('nobody outside sees more', () => {
  test('at first every share shows something, and nothing that it may not', async () => {
    expect(await lookAround(holds)).toEqual({ leaks: [], faults: [], open: all });
  });

  const oneOfEach = [
    'C.Text is deleted',
    'B.toC becomes text',
    'A.Own: a choice is renamed',
    'table C goes to the trash',
  ];

  test.each(
    cases(
      Object.entries(kinds),
      Object.entries(kinds).filter(([name]) => oneOfEach.includes(name)),
    ),
  )('when %s, and the same as before when that is undone', async (name, what) => {
    const { make, revert } = changes.find((change) => change.name === name) as (typeof changes)[number];
    await make(holds);
    expect(await lookAround(holds)).toEqual({ leaks: [], faults: [], open: all.filter((share) => !what.test(share)) });
    await revert?.(holds);
    expect(await lookAround(holds)).toEqual({ leaks: [], faults: [], open: all });
  });
});

test.each(['C.Text is deleted', 'table C goes to the trash'])(
  'what was shared before there were decisions was decided as it was, before %s',
  async (name) => {
    const { make, revert } = changes.find((change) => change.name === name) as (typeof changes)[number];
    await world().db.query(sql`update rowhouse.views set decided = null`);
    expect(await lookAround(holds)).toEqual({ leaks: [], faults: [], open: all });
    await make(holds);
    const held = kinds[name] as RegExp;
    expect(await lookAround(holds)).toEqual({ leaks: [], faults: [], open: all.filter((share) => !held.test(share)) });
    await revert?.(holds);
    expect(await lookAround(holds)).toEqual({ leaks: [], faults: [], open: all });
  },
);

test('a filter that somebody sets while the share is held is a decision; undoing it brings back that it is held', async () => {
  const { owner, fields, window } = holds;
  const share = shareOf('A: Lookup isNot');
  const params = share.path;
  good(
    await owner.call(deleteField, {
      params: { tableId: params.tableId, fieldId: fields['A.Lookup'] as string },
      headers: window,
    } as never),
  );
  expect(await isHeld(share)).toBe(true);
  const narrow = {
    conjunction: 'and',
    filterSet: [{ fieldId: fields['A.Name'], operator: 'doesNotContain', value: mark }],
  };
  good(await owner.call(setViewFilter, { params, headers: window, body: { filter: narrow } } as never));
  expect([await isHeld(share), (await lookAround(holds)).open.includes(share.name)]).toEqual([false, true]);
  const back = () => owner.call(undo, { params: { tableId: params.tableId }, headers: window, body: {} } as never);
  good(await back());
  expect([await isHeld(share), await lookAround(holds)]).toMatchObject([true, { leaks: [], faults: [] }]);
  good(await back());
  expect([await isHeld(share), await lookAround(holds)]).toEqual([false, { leaks: [], faults: [], open: all }]);
});

describe('the view that limits a link of a form', () => {
  test('limits it at once on every server, and is no decision about other forms', async () => {
    const { owner, fields, tables, limitViewId } = holds;
    const { shareId, linkId } = shareOf('form by view');
    const visitors = [caller({ baseUrl: world().baseUrl }), caller({ baseUrl: second.baseUrl })];
    const offered = () =>
      Promise.all(
        visitors.map(async (visitor) =>
          good(await visitor(listShareLinkRecords, { params: { shareId }, query: { fieldId: linkId as string } })).map(
            ({ id }) => id,
          ),
        ),
      );
    const [[open] = []] = await offered();
    expect(await offered()).toEqual([[open], [open]]);
    const none = { conjunction: 'and', filterSet: [{ fieldId: fields['A.Name'], operator: 'is', value: 'nobody' }] };
    good(
      await owner.call(setViewFilter, {
        params: { tableId: tables.A, viewId: limitViewId },
        body: { filter: none },
        headers: holds.window,
      } as never),
    );
    expect(await offered()).toEqual([[], []]);
    for (const visitor of visitors)
      expect(
        (
          await visitor(submitShareForm, {
            params: { shareId },
            body: { fields: { [linkId as string]: [{ id: open }] } },
          })
        ).status,
      ).toBe(400);
    good(await owner.call(undo, { params: { tableId: tables.A }, headers: holds.window, body: {} } as never));
    expect(await offered()).toEqual([[open], [open]]);
  });
});

describe('an answer to a form that waits for a lock', () => {
  const open: ShareMeta = { submit: { allow: true } };
  const ends: [what: string, meta: ShareMeta, status: number][] = [
    ['the form is closed', { submit: { allow: false } }, 403],
    ['it asks for an account', { submit: { allow: true, requireLogin: true } }, 401],
    ['it has a password', { submit: { allow: true }, password: 'a new one' }, 401],
  ];

  test.each(ends)('is refused when %s meanwhile', async (_what, meta, status) => {
    const { owner, visitor, fields } = holds;
    const { path, shareId } = shareOf('form by choice');
    const lock = await hold(world(), sql`select from rowhouse.shares where view_id = ${path.viewId} for update`);
    const closing = owner.call(setShareMeta, { params: path, body: meta });
    await untilWaiting(world(), 1, closing);
    const answer = visitor(submitShareForm, {
      params: { shareId },
      body: { fields: { [fields['D.Name'] as string]: 'Late' } },
    });
    await untilWaiting(world(), 2, answer);
    await lock.release();
    expect([(await closing).status, (await answer).status]).toEqual([200, status]);
    good(await owner.call(setShareMeta, { params: path, body: open }));
  });
});

test('a stream of a share ends when something in another table changes what it rests on', async () => {
  const { owner, fields, tables } = holds;
  const { shareId } = shareOf('A: Lookup isNot');
  const answer = await fetch(`${world().baseUrl}${listenToShare.path.replace(':shareId', shareId)}`);
  const heard = (async () => {
    let text = '';
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>)
      text += Buffer.from(chunk).toString();
    return text;
  })();
  const [made] = good(
    await owner.call(createRecords, {
      params: { tableId: tables.A },
      body: { fieldKeyType: 'id', records: [{ fields: { [fields['A.Name'] as string]: `${mark} again` } }] },
    }),
  ).records;
  good(
    await owner.call(convertField, {
      params: { tableId: tables.C, fieldId: fields['C.Text'] as string },
      body: { type: 'number' },
    } as never),
  );
  good(
    await owner.call(updateRecord, {
      params: { tableId: tables.A, recordId: made?.id as string },
      body: { fieldKeyType: 'id', record: { fields: { [fields['A.Name'] as string]: `${mark} more` } } },
    }),
  );
  expect(await heard).toMatch(/event: schema\.changed/);
});

test('cells that a conversion lost do not come back by converting back; settings that are saved are a decision', async () => {
  const { owner, visitor, fields, tables } = holds;
  const { path, shareId } = shareOf('A: Lookup isNot');
  good(
    await owner.call(convertField, {
      params: { tableId: tables.C, fieldId: fields['C.Text'] as string },
      body: { type: 'singleLineText' },
    } as never),
  );
  const rows = async () => good(await visitor(listShareRecords, { params: { shareId }, query: {} })).records.length;
  expect([await rows(), await isHeld(shareOf('A: Lookup isNot'))]).toEqual([0, true]);
  good(await owner.call(setShareMeta, { params: path, body: { includeRecords: true } }));
  expect([await rows(), await isHeld(shareOf('A: Lookup isNot'))]).toEqual([3, false]);
});

test('a table in the trash is no part of a query over the base', async () => {
  const { owner, baseId, tables, fields } = holds;
  const ask = (query: object) =>
    owner.call(queryBase, { params: { baseId }, query: { query: JSON.stringify(query) } } as never);
  const asked = [
    { from: tables.C },
    { from: tables.D, join: [{ type: 'LEFT JOIN', table: tables.C, on: [fields['D.Name'], fields['C.Name']] }] },
  ];
  for (const query of asked) expect((await ask(query)).status).toBe(200);
  good(
    await owner.call(updateField, {
      params: { tableId: tables.C, fieldId: fields['C.Name'] as string },
      body: { name: 'Still there' },
    } as never),
  );
  good(await owner.call(deleteTable, { params: { baseId, tableId: tables.C } }));
  for (const query of asked) expect((await ask(query)).status).toBe(404);
});
