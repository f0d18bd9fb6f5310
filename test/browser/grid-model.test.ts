// Two people in one sorted, filtered and grouped view, each typing into the record that they have gone to, while the
// other moves it, hides it and changes what is around it; a third one brings back what the filter has hidden. The history then
// holds what each of them meant, cell by cell and in their order, and nothing else. ROWHOUSE_GESTURES says how many gestures each
// of them makes.
import type { Page } from '@playwright/test';
import { expect, newPerson, type Person, test } from '../support/browser.ts';
import { clickGrid, newTable, press, type TestTable } from '../support/browser-table.ts';

const gestures = Number(process.env['ROWHOUSE_GESTURES'] ?? 8);
const seed = Number(process.env['ROWHOUSE_SEED'] ?? 1);

const randomOf = (start: number) => {
  let state = start;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

const columns = ['Name', 'Count', 'Status'] as const;
type ColumnName = (typeof columns)[number];

interface Meant {
  key: string;
  field: ColumnName;
  value: unknown;
}

/** The filter shows smaller ones. */
const limit = 1_000_000;

/** Where the cursor is. The table for screen readers follows it with a delay, and is not asked. */
const cursorOf = async (
  page: Page,
  table: TestTable,
  keys: ReadonlyMap<string, string>,
): Promise<{ key: string; column: ColumnName | undefined } | undefined> => {
  const cursor = await page.evaluate<string>("document.querySelector('[data-cursor]')?.dataset.cursor ?? ''");
  // Nobody deletes anything here, so nothing takes it away.
  if (cursor === '') throw new Error('The cursor is gone');
  const [recordId = '', fieldId = ''] = cursor.split(' ');
  const key = keys.get(recordId);
  return key === undefined ? undefined : { key, column: columns.find((name) => table.fieldId(name) === fieldId) };
};

/** Every tenth number takes the record out of the view; every sixth gesture moves it to another group. */
const valueFor = (
  column: ColumnName,
  who: string,
  gesture: number,
  random: (below: number) => number,
): string | number => {
  if (column === 'Status') return ['open', 'done', 'late'][random(3)] as string;
  if (column === 'Name') return `${'zma'[random(3)]}${who}${gesture}`;
  return (random(10) === 0 ? limit : 0) + (gesture + 1) * 10 + (who === 'a' ? 1 : 2);
};

/** Compares what one person meant with what they have written so far. */
type Compare = (meant: readonly Meant[]) => Promise<void>;

const work = async (
  { page }: Person,
  who: string,
  random: (below: number) => number,
  table: TestTable,
  keys: ReadonlyMap<string, string>,
  compare: Compare,
): Promise<Meant[]> => {
  const meant: Meant[] = [];
  const started = Date.now();
  let outside = 0;
  for (let gesture = 0; gesture < gestures; gesture += 1) {
    for (let count = random(5); count > 0; count -= 1) await press(page, random(2) === 0 ? 'ArrowUp' : 'ArrowDown');
    const along = random(6) === 0 ? 3 : 1 + random(2);
    await press(page, 'Home', ...Array.from({ length: along }, () => 'ArrowRight'));
    let at = await cursorOf(page, table, keys);
    if (at === undefined) {
      // On a header, or below the last record.
      await press(page, random(2) === 0 ? 'ArrowUp' : 'ArrowDown');
      at = await cursorOf(page, table, keys);
    }
    outside = at === undefined ? outside + 1 : 0;
    if (outside > 20)
      throw new Error(
        `The keys do not lead anywhere: ${await page.evaluate<string>("`the cursor is in ${document.querySelector('[data-cursor]').dataset.cursor}, the focus on ${document.activeElement.outerHTML.slice(0, 120)}`")}`,
      );
    // Now and then the other one does several things meanwhile.
    await page.waitForTimeout(random(8) === 0 ? 600 : random(60));
    if (at?.column !== undefined) {
      const value = at.column === 'Name' && random(10) === 0 ? null : valueFor(at.column, who, gesture, random);
      if (value === null) await press(page, 'Delete');
      else {
        await page.keyboard.type(String(value));
        await press(page, random(2) === 0 ? 'Tab' : 'Enter');
      }
      meant.push({ key: at.key, field: at.column, value });
    }
    if ((gesture + 1) % 100 === 0) {
      await compare(meant);
      console.log(
        `${who}: ${gesture + 1} gestures, ${meant.length} cells, ${Math.round((Date.now() - started) / 1_000)} s`,
      );
    }
  }
  await compare(meant);
  return meant;
};

interface Entry {
  recordId: string;
  fieldId: string;
  createdBy: string;
  after: { data: unknown };
}

/** Latest first. */
const wholeHistory = async ({ api }: Person, { tableId }: TestTable): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let cursor = '';
  do {
    const page = await api.get(`/table/${tableId}/record/history?take=1000${cursor === '' ? '' : `&cursor=${cursor}`}`);
    entries.push(...page.historyList);
    cursor = page.nextCursor ?? '';
  } while (cursor !== '');
  return entries;
};

/** Until it is stopped: gives what the filter has hidden a number that it shows. */
const bringBack = ({ api }: Person, { tableId, fieldId }: TestTable): (() => Promise<void>) => {
  let isOver = false;
  const work = async (): Promise<void> => {
    const filter = encodeURIComponent(
      JSON.stringify({
        conjunction: 'and',
        filterSet: [{ fieldId: fieldId('Count'), operator: 'isGreaterEqual', value: limit }],
      }),
    );
    while (!isOver) {
      const { records } = await api.get(`/table/${tableId}/record?filter=${filter}`);
      if (records.length > 0)
        await api.patch(`/table/${tableId}/record`, {
          records: records.map(({ id }: { id: string }) => ({ id, fields: { Count: 5 } })),
        });
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  const done = work();
  return async () => {
    isOver = true;
    await done;
  };
};

interface Written extends Meant {
  by: string;
}

/** What one person meant, without what they were asked about, and what the cell held at that moment anyway: that is no change, and not in the history. `all` is what everybody wrote, oldest first. */
const withoutSame = (
  meant: readonly Meant[],
  all: readonly Written[],
  by: string,
  first: (key: string, field: ColumnName) => unknown,
): Meant[] => {
  let after = -1;
  return meant.filter(({ key, field, value }) => {
    const next = all.findIndex((entry, at) => at > after && entry.by === by);
    const found = all[next];
    if (found !== undefined && found.key === key && found.field === field && found.value === value) {
      after = next;
      return true;
    }
    const ofCell = all
      .map((entry, at) => ({ ...entry, at }))
      .filter((entry) => entry.key === key && entry.field === field);
    const before = ofCell.filter(({ at }) => at <= after).at(-1);
    // Somebody else has changed the cell since it was seen: that is asked about, and not written over.
    const last = ofCell.filter(({ at }) => next < 0 || at < next).at(-1);
    if (last !== undefined && last.by !== by) return false;
    const held = [
      before === undefined ? first(key, field) : before.value,
      ...ofCell.filter(({ at }) => at > after && (next < 0 || at < next)).map((entry) => entry.value),
    ];
    return !held.includes(value);
  });
};

test('two people who edit one sorted, filtered, grouped view leave exactly what they meant', async ({
  person,
  browser,
}) => {
  test.setTimeout(60_000 + gestures * 6_000);
  const fields = [
    { name: 'Key', type: 'singleLineText' },
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
    {
      name: 'Status',
      type: 'singleSelect',
      options: { choices: [{ name: 'open' }, { name: 'done' }, { name: 'late' }] },
    },
  ];
  const records = Array.from({ length: 8 }, (_item, index) => ({
    Key: `k${index}`,
    Name: `name ${index}`,
    Count: index + 1,
    Status: index % 2 === 0 ? 'open' : 'done',
  }));
  const table = await newTable(person.api, fields, records);
  const view = `/table/${table.tableId}/view/${(await person.api.get(`/table/${table.tableId}/view`))[0].id}`;
  await person.api.put(`${view}/sort`, { sort: { sortObjs: [{ fieldId: table.fieldId('Name'), order: 'asc' }] } });
  await person.api.put(`${view}/group`, { group: [{ fieldId: table.fieldId('Status'), order: 'asc' }] });
  await person.api.put(`${view}/filter`, {
    filter: { conjunction: 'and', filterSet: [{ fieldId: table.fieldId('Count'), operator: 'isLess', value: limit }] },
  });
  const [kim, lee] = [await newPerson(browser, 'kim'), await newPerson(browser, 'lee')];
  const [space] = await person.api.get('/space');
  await person.api.post(`/space/${space.id}/invitation/email`, { emails: [kim.email, lee.email], role: 'editor' });
  const people = [person, kim];
  await Promise.all(people.map(({ page }) => page.goto(table.url)));
  for (const { page } of people) {
    await page.locator('#glide-cell-1-1').waitFor({ state: 'attached' });
    await clickGrid(page, 120, 36 + 36 + 17);
  }
  const keys = new Map<string, string>(
    (await person.api.get(`/table/${table.tableId}/record?take=1000`)).records.map(
      (record: { id: string; fields: { Key: string } }) => [record.id, record.fields.Key],
    ),
  );
  const ids = await Promise.all(people.map(async ({ api }) => (await api.get('/auth/user/me')).id));
  const comparing =
    (index: number): Compare =>
    async (meant) => {
      const { page } = people[index] as Person;
      await expect.poll(() => page.evaluate("document.body.textContent.includes('Saving…')")).toBe(false);
      const all = (await wholeHistory(person, table))
        .map(
          ({ recordId, fieldId, createdBy, after }): Written => ({
            key: keys.get(recordId) ?? recordId,
            field: columns.find((name) => table.fieldId(name) === fieldId) as ColumnName,
            value: after.data ?? null,
            by: createdBy,
          }),
        )
        .reverse();
      const written = all.filter(({ by }) => by === ids[index]).map(({ by: _by, ...entry }) => entry);
      expect(written).toEqual(
        withoutSame(meant, all, ids[index], (key, field) => records.find(({ Key }) => Key === key)?.[field]),
      );
    };
  const stop = bringBack(lee, table);
  const meant = await Promise.all([
    work(person, 'a', randomOf(seed), table, keys, comparing(0)),
    work(kim, 'b', randomOf(seed + 7), table, keys, comparing(1)),
  ]);
  await stop();
  expect(meant.map((list) => list.length > gestures / 4)).toEqual([true, true]);

  // Both see what there is, in its order, as soon as they leave the record that they are in.
  const { records: inOrder } = await person.api.get(`${view.replace('/view/', '/record?take=1000&viewId=')}`);
  for (const { page } of people) {
    await press(page, 'Control+Home');
    await expect
      .poll(() =>
        page.evaluate<string[]>(
          "[...document.querySelectorAll('[id^=glide-cell-1-]')].map((cell) => cell.textContent).filter((text) => /^k\\d+$/.test(text))",
        ),
      )
      .toEqual(inOrder.map((record: { fields: { Key: string } }) => record.fields.Key));
  }
  for (const guest of [kim, lee]) await guest.leave();
});
