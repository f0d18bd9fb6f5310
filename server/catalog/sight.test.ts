import { expect, test } from 'vitest';
import type { Queryable } from '../db/db.ts';
import { recordJson } from '../domain/record/read/json.sql.ts';
import { selectPage, selectRecords } from '../domain/record/read/read.sql.ts';
import { everything, rightsOn, type TableRights, wholeTable } from './rights.ts';
import { demandWhole, type Seeing, type Sight, sightForUse, sightKey, sightOf } from './sight.ts';
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
  access: { rights: rightsOn('tbl', { fieldIds, rows: true }), spaceId: 'spcA' },
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
    rows: true,
    rule: wholeTable,
    to: () => undefined as never,
    restsOn: '',
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
  expect(sightKey(wholeTable, one)).toBe(sightKey(wholeTable, other));
  expect(sightKey(wholeTable, one)).toBe(sightKey(wholeTable, limited('record|read', 'user|email_read')));
  expect(sightKey({ fieldIds: new Set(['a', 'b']), rows: true }, one)).toBe(
    sightKey({ fieldIds: new Set(['b', 'a']), rows: true }, one),
  );
  const keys = [
    sightKey(wholeTable, one),
    sightKey({ fieldIds: new Set(), rows: true }, one),
    sightKey({ fieldIds: null, rows: { filter } }, one),
    sightKey({ fieldIds: null, rows: { filter } }, other),
    sightKey({ ...wholeTable, isPublic: true }, one),
    sightKey({ fieldIds: null, rows: { through: 'fldA', met: { filter } } }, one),
    sightKey(null, one),
    sightKey(wholeTable, limited()),
    sightKey(wholeTable, limited('record|read')),
    sightKey(wholeTable, limited('user|email_read')),
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

test('a rule is laid on its own table alone: for others it says whether they are there at all', () => {
  const other: TableSchema = { ...table, id: 'tblOther' };
  const rule: TableRights = { fieldIds: new Set(['fldB']), rows: false };
  const who = seeing(null);
  const share = { ...who, access: { ...who.access, rights: rightsOn('tbl', rule) } };
  expect(sightOf(share, table).rows).toBe(false);
  expect(() => sightOf(share, other)).toThrow('tblOther');
  expect(() => sightOf(share, table).to(other)).toThrow('tblOther');
  const role = { ...who, access: { ...who.access, rights: everything } };
  expect(sightOf(role, table).to(other).isWhole).toBe(true);
});
