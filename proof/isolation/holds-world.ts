// Four tables in a row, and shares, forms and limited links whose conditions rest on all of them. Whatever no visitor may see carries the mark.
import { createField } from '@rowhouse/contract/field.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createBase } from '@rowhouse/contract/base.ts';
import { enableShare, listShareLinkRecords, listShareRecords, setShareMeta } from '@rowhouse/contract/share.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { caller, type Caller } from '../../test/support/caller.ts';
import type { Person } from '../../test/support/people.ts';

export const mark = 'HUSHHUSH';

export const good = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(`refused: ${JSON.stringify(error)}`);
  return body;
};

interface Shared {
  name: string;
  shareId: string;
  path: { tableId: string; viewId: string };
  /** Of a form: the link whose candidates are looked at. */
  linkId?: string;
}

export interface HoldsWorld {
  owner: Person;
  visitor: Caller;
  baseId: string;
  /** `C`, `B`, `A` and `D` by their letters. */
  tables: Record<'A' | 'B' | 'C' | 'D', string>;
  /** `C.Secret` → its id. */
  fields: Record<string, string>;
  limitViewId: string;
  shares: Shared[];
  window: { 'x-window-id': string };
}

type Fields = Record<string, string>;

const is = (fieldId: string | undefined, operator: string, value: unknown) => ({
  conjunction: 'and' as const,
  filterSet: [{ fieldId: fieldId as string, operator, value }],
});

const choices = { choices: [{ name: 'secret' }, { name: 'open' }] };

/** One record of each table is open and the other secret; each leads to its like. */
const layTables = async (owner: Person, baseId: string): Promise<Pick<HoldsWorld, 'tables' | 'fields'>> => {
  const fields: Fields = {};
  const made: Record<string, string> = {};
  const note = (table: string, list: readonly { id: string; name: string }[]): void => {
    for (const { id, name } of list) fields[`${table}.${name}`] = id;
  };
  const table = async (letter: string, given: object[]): Promise<string> => {
    const { id, fields: list } = good(
      await owner.call(createTable, {
        params: { baseId },
        body: { name: letter, fields: given as never, records: [] },
      }),
    );
    note(letter, list);
    made[letter] = id;
    return id;
  };
  const field = async (letter: string, given: object): Promise<void> =>
    note(letter, [
      good(await owner.call(createField, { params: { tableId: made[letter] as string }, body: given as never })),
    ]);
  const records = async (
    tableId: string,
    of: (isOpen: boolean) => Record<string, unknown>,
  ): Promise<[string, string]> =>
    good(
      await owner.call(createRecords, {
        params: { tableId },
        body: { fieldKeyType: 'id', records: [{ fields: of(false) }, { fields: of(true) }] },
      }),
    ).records.map(({ id }) => id) as [string, string];
  const word = (isOpen: boolean): string => (isOpen ? 'open' : 'secret');
  const name = (letter: string, isOpen: boolean): string => (isOpen ? `${letter} open` : `${letter} ${mark}`);
  const link = (to: string) => ({
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: made[to], isOneWay: true },
  });
  const look = (through: string, of: string, more: object = {}) => ({
    isLookup: true,
    lookupOptions: { foreignTableId: made[of[0] as string], linkFieldId: fields[through], lookupFieldId: fields[of] },
    ...more,
  });

  const c = await table('C', [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Text', type: 'singleLineText' },
    { name: 'Choice', type: 'singleSelect', options: choices },
  ]);
  const inC = await records(c, (isOpen) => ({
    [fields['C.Name'] as string]: name('C', isOpen),
    [fields['C.Text'] as string]: word(isOpen),
    [fields['C.Choice'] as string]: word(isOpen),
  }));
  const b = await table('B', [{ name: 'Name', type: 'singleLineText' }]);
  await field('B', { name: 'toC', ...link('C') });
  await field('B', { name: 'Text', type: 'singleLineText', ...look('B.toC', 'C.Text') });
  await field('B', { name: 'Choice', type: 'singleSelect', ...look('B.toC', 'C.Choice') });
  await field('B', { name: 'Formula', type: 'formula', options: { expression: `{${fields['B.Text']}} & ''` } });
  const inB = await records(b, (isOpen) => ({
    [fields['B.Name'] as string]: name('B', isOpen),
    [fields['B.toC'] as string]: { id: inC[isOpen ? 1 : 0] },
  }));
  const a = await table('A', [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Own', type: 'singleSelect', options: choices },
    { name: 'Tags', type: 'multipleSelect', options: choices },
  ]);
  await field('A', { name: 'toB', ...link('B') });
  await field('A', { name: 'Lookup', type: 'formula', ...look('A.toB', 'B.Formula') });
  await field('A', {
    name: 'Rollup',
    type: 'rollup',
    options: { expression: 'array_join({values})' },
    lookupOptions: look('A.toB', 'B.Formula').lookupOptions,
  });
  await field('A', { name: 'Over', type: 'formula', options: { expression: `{${fields['A.Lookup']}} & ''` } });
  await field('A', { name: 'OfOwn', type: 'formula', options: { expression: `{${fields['A.Own']}} & ''` } });
  await field('A', {
    name: 'Found',
    type: 'singleLineText',
    isLookup: true,
    isConditionalLookup: true,
    lookupOptions: {
      foreignTableId: c,
      lookupFieldId: fields['C.Name'],
      filter: is(fields['C.Choice'], 'isNot', 'secret'),
    },
  });
  // The first of all: which one that is rests on the sort.
  await field('A', {
    name: 'First',
    type: 'singleLineText',
    isLookup: true,
    isConditionalLookup: true,
    lookupOptions: {
      foreignTableId: c,
      lookupFieldId: fields['C.Name'],
      filter: is(fields['C.Name'], 'isNotEmpty', null),
      sort: { fieldId: fields['C.Text'], order: 'asc' },
      limit: 1,
    },
  });
  await records(a, (isOpen) => ({
    [fields['A.Name'] as string]: name('A', isOpen),
    [fields['A.Own'] as string]: word(isOpen),
    [fields['A.Tags'] as string]: [word(isOpen)],
    [fields['A.toB'] as string]: { id: inB[isOpen ? 1 : 0] },
  }));
  fields['secret B'] = inB[0];
  await table('D', [{ name: 'Name', type: 'singleLineText' }]);
  return { tables: made as HoldsWorld['tables'], fields };
};

/** A table of its own for each form: a link of one is no limit of another. */
export const openHolds = async (owner: Person, baseUrl: string, spaceId: string): Promise<HoldsWorld> => {
  const baseId = good(await owner.call(createBase, { body: { spaceId } })).id;
  const { tables, fields } = await layTables(owner, baseId);
  const shares: Shared[] = [];
  const share = async (
    name: string,
    tableId: string,
    view: object,
    more: { linkId?: string } = {},
  ): Promise<string> => {
    const { id: viewId } = good(
      await owner.call(createView, { params: { tableId }, body: { name, ...view } as never }),
    );
    const path = { tableId, viewId };
    const { shareId } = good(await owner.call(enableShare, { params: path }));
    shares.push({ name, shareId, path, ...more });
    return viewId;
  };
  const id = (name: string): string => fields[name] as string;
  /** Nothing is shown but the name, and what is to be looked at. */
  const columns = (letter: string, shown: readonly string[]): Record<string, object> =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => name.startsWith(`${letter}.`) && name !== `${letter}.Name` && !shown.includes(name))
        .map(([, fieldId]) => [fieldId, { hidden: true }]),
    );
  const grid = (
    letter: 'A' | 'B',
    name: string,
    operator: string,
    value: unknown,
    shown: readonly string[] = [],
  ): Promise<string> =>
    share(`${letter}: ${name} ${operator}`, tables[letter], {
      type: 'grid',
      filter: is(fields[`${letter}.${name}`], operator, value),
      columnMeta: columns(letter, shown),
    });
  await grid('A', 'Lookup', 'isNot', 'secret');
  await grid('A', 'Rollup', 'doesNotContain', 'secret');
  await grid('A', 'Over', 'isNot', 'secret');
  await grid('A', 'Own', 'isNot', 'secret');
  await grid('A', 'Own', 'isNoneOf', ['secret']);
  await grid('A', 'Tags', 'hasNoneOf', ['secret']);
  await grid('A', 'OfOwn', 'isNot', 'secret');
  await grid('A', 'toB', 'isNot', fields['secret B']);
  await grid('A', 'Name', 'doesNotContain', mark, ['A.Found', 'A.First']);
  await grid('B', 'Formula', 'isNot', 'secret');
  await grid('B', 'Choice', 'isNot', 'secret');
  const { id: limitViewId } = good(
    await owner.call(createView, {
      params: { tableId: tables.A },
      body: { type: 'grid', name: 'Limit', filter: is(fields['A.Lookup'], 'isNot', 'secret') as never },
    }),
  );
  for (const [name, limit] of [
    ['own filter', { filter: is(fields['A.Over'], 'isNot', 'secret') }],
    ['choice', { filter: is(fields['A.Own'], 'isNot', 'secret') }],
    ['view', { filterByViewId: limitViewId }],
  ] as const) {
    const made = good(
      await owner.call(createField, {
        params: { tableId: tables.D },
        body: {
          name: `by ${name}`,
          type: 'link',
          options: { relationship: 'manyMany', isOneWay: true, foreignTableId: tables.A, ...limit },
        } as never,
      }),
    );
    fields[`D.by ${name}`] = made.id;
    await share(
      `form by ${name}`,
      tables.D,
      { type: 'form', columnMeta: { [id('D.Name')]: { visible: true }, [made.id]: { visible: true } } },
      { linkId: made.id },
    );
  }
  for (const { path, linkId } of shares)
    if (linkId === undefined) good(await owner.call(setShareMeta, { params: path, body: { includeRecords: true } }));
  return {
    owner,
    visitor: caller({ baseUrl }),
    baseId,
    tables,
    fields,
    limitViewId,
    shares,
    window: { 'x-window-id': 'holds' },
  };
};

interface Sightings {
  /** What a visitor found that they may not see. */
  leaks: string[];
  /** Answers that are a fault of the server. */
  faults: string[];
  /** Shares that showed something. */
  open: string[];
}

export const lookAround = async ({ shares, visitor }: Pick<HoldsWorld, 'shares' | 'visitor'>): Promise<Sightings> => {
  const found: Sightings = { leaks: [], faults: [], open: [] };
  for (const { name, shareId, linkId } of shares) {
    const answer =
      linkId === undefined
        ? await visitor(listShareRecords, { params: { shareId }, query: {} })
        : await visitor(listShareLinkRecords, { params: { shareId }, query: { fieldId: linkId } });
    const text = JSON.stringify(answer.body ?? '') + JSON.stringify(answer.error ?? '');
    if (text.includes(mark)) found.leaks.push(`${name}: ${answer.status} ${text.slice(0, 300)}`);
    if (answer.status >= 500) found.faults.push(`${name}: ${answer.status} ${text.slice(0, 300)}`);
    if (answer.status === 200 && /"rec\w{10,}"/.test(text)) found.open.push(name);
  }
  return found;
};
