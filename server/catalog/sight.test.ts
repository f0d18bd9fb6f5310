import { expect, test } from 'vitest';
import type { Queryable } from '../db/db.ts';
import { recordJson } from '../domain/record/read/json.sql.ts';
import { selectPage, selectRecords } from '../domain/record/read/read.sql.ts';
import { demandWhole, type Seeing, seesEverything, type Sight, sightForUse, sightKey, sightOf } from './sight.ts';
import type { FieldSchema, TableSchema } from './table.ts';

const field = (id: string, isPrimary = false): FieldSchema => ({
  id,
  name: `name of ${id}`,
  description: null,
  type: 'singleLineText',
  options: {},
  dbFieldName: `column_of_${id}`,
  isPrimary,
  notNull: false,
  isUnique: false,
  position: 0,
  version: 1,
});

const fields = [field('fldA', true), field('fldB')];
const table: TableSchema = {
  id: 'tbl',
  baseId: 'bse',
  name: 'T',
  dbTableName: 't',
  version: 1,
  fields,
  views: [],
  hidden: [],
  related: new Map(),
  primary: fields[0] as FieldSchema,
  byId: new Map(fields.map((one) => [one.id, one])),
  byName: new Map(fields.map((one) => [one.name, one])),
  byDbName: new Map(fields.map((one) => [one.dbFieldName, one])),
};
const seeing = (fieldIds: ReadonlySet<string> | null) => ({
  access: { sight: { fieldIds, records: null }, spaceId: 'spcA' },
  principal: { userId: 'usr', scopes: null as ReadonlySet<string> | null },
  now: () => new Date(0),
});

test('nothing that renders cells compiles without a sight, and nobody can make one up', () => {
  const unbranded = {
    table,
    fields,
    byId: table.byId,
    byName: table.byName,
    byDbName: table.byDbName,
    spaceId: '',
    records: null,
    rule: seesEverything,
    asker: { userId: '', now: new Date() },
    hasAllFields: true,
    seesEmails: true,
    seesCells: true,
    isWhole: true,
  };
  // Never run: what matters is that each line is an error of the type checker.
  const wrong = (db: Queryable, page: never): unknown => [
    // @ts-expect-error a table is not a sight
    recordJson(table, 'r', { fields, keyType: 'id', format: 'json' }),
    // @ts-expect-error a table is not a sight
    selectRecords(db, table, [], { fields, keyType: 'id', format: 'json' }),
    // @ts-expect-error a table is not a sight
    selectPage(db, table, { fields, keyType: 'id', format: 'json' }, page),
    // @ts-expect-error only sightOf makes one
    unbranded satisfies Sight,
  ];
  expect(wrong).toBeTypeOf('function');
});

test('a sight has nothing to be looked up but what is shown', () => {
  const part = sightOf(seeing(new Set(['fldB', 'fldGone'])), table);
  expect(part.fields.map(({ id }) => id)).toEqual(['fldB']);
  for (const map of [part.byId, part.byName, part.byDbName])
    expect([...map.values()].map(({ id }) => id)).toEqual(['fldB']);
  expect(part.isWhole).toBe(false);
  expect(() => demandWhole(part)).toThrow('You see only a part');
});

test('a sight of everything is the table itself', () => {
  const whole = sightOf(seeing(null), table);
  expect([whole.fields, whole.byId, whole.byName, whole.byDbName, whole.isWhole]).toEqual([
    table.fields,
    table.byId,
    table.byName,
    table.byDbName,
    true,
  ]);
  expect(demandWhole(whole)).toBe(whole);
});

test('those who see the same share a key, and nobody shares it with somebody who sees less', () => {
  const filter = {
    conjunction: 'and' as const,
    filterSet: [{ fieldId: 'fldA', operator: 'is' as const, value: 'me' }],
  };
  const [one, other] = ['usrA', 'usrB'].map((userId) => ({ userId, scopes: null })) as [
    Seeing['principal'],
    Seeing['principal'],
  ];
  const limited = (...scopes: string[]): Seeing['principal'] => ({ userId: 'usrA', scopes: new Set(scopes) });
  expect(sightKey(seesEverything, one)).toBe(sightKey(seesEverything, other));
  expect(sightKey(seesEverything, one)).toBe(sightKey(seesEverything, limited('record|read', 'user|email_read')));
  expect(sightKey({ fieldIds: new Set(['a', 'b']), records: null }, one)).toBe(
    sightKey({ fieldIds: new Set(['b', 'a']), records: null }, one),
  );
  const keys = [
    sightKey(seesEverything, one),
    sightKey({ fieldIds: new Set(), records: null }, one),
    sightKey({ fieldIds: null, records: filter }, one),
    sightKey({ fieldIds: null, records: filter }, other),
    sightKey({ ...seesEverything, isPublic: true }, one),
    sightKey(seesEverything, limited()),
    sightKey(seesEverything, limited('record|read')),
    sightKey(seesEverything, limited('user|email_read')),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('without record|read no cell is rendered, without user|email_read no address, and for use both are there', () => {
  const text = (sight: Sight): string =>
    JSON.stringify(recordJson(sight, 'r', { fields, keyType: 'id', format: 'json' }));
  const blind = sightOf({ ...seeing(null), principal: { userId: 'usr', scopes: new Set(['user|email_read']) } }, table);
  expect(text(sightOf(seeing(null), table))).toContain('column_of_fldB');
  expect(text(blind)).not.toContain('column_of_fldB');
  expect(text(sightForUse(blind))).toContain('column_of_fldB');
});
