// link: records of this or another table. What a cell shows is computed from the keys that are stored apart (linked.sql.ts) and from the titles of
// the linked records; what is written are their ids.
import { relationships } from '@rowhouse/contract/field.ts';
import { Type } from 'typebox';
import { linkCells, linkListCells } from '../kind/link.sql.ts';
import type { CastResult, FieldType } from '../type.ts';
import { carryText, keepSameType } from './convert.ts';
import { splitList } from './select.ts';

/** On its way in: by id, or with typecast by title, which is looked for in the other table. */
export type LinkTarget = { id: string } | { title: string };

export const leadsToSeveral = ({ relationship }: Record<string, unknown>): boolean =>
  relationship === 'oneMany' || relationship === 'manyMany';

const longestId = 100;

/** Links that a request can put into one cell; by the other side there may come more. Tests make it small. */
export const linkLimits = { written: 20_000 };

const idOf = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { id } = value as { id?: unknown };
  return typeof id === 'string' && id !== '' && id.length <= longestId ? id : undefined;
};

const expected = (options: Record<string, unknown>): string =>
  leadsToSeveral(options)
    ? 'a list of records such as [{"id": "rec…"}], or null'
    : 'a record such as {"id": "rec…"}, or null';

const targetOf = (text: string): LinkTarget[] => {
  const trimmed = text.trim();
  return trimmed === '' ? [] : [/^rec[0-9A-Za-z]{16}$/.test(trimmed) ? { id: trimmed } : { title: trimmed }];
};

const targetsOf = (value: unknown, isSeveral: boolean): LinkTarget[] => {
  if (typeof value === 'string') return (isSeveral ? splitList(value) : [value]).flatMap(targetOf);
  if (typeof value === 'number') return targetOf(String(value));
  if (Array.isArray(value))
    return value.flatMap((item) => (typeof item === 'string' ? targetOf(item) : targetsOf(item, isSeveral)));
  const id = idOf(value);
  if (id !== undefined) return [{ id }];
  const { title } = (typeof value === 'object' && value !== null ? value : {}) as { title?: unknown };
  return typeof title === 'string' ? targetOf(title) : [];
};

/** As many as a request may write. A cell that is restored may have had many more. */
const firstDifferent = <T>(all: readonly T[]): T[] => {
  const found = new Map<string, T>();
  for (const one of all) {
    if (found.size === linkLimits.written) break;
    found.set(JSON.stringify(one), one);
  }
  return [...found.values()];
};

const cast: FieldType['cast'] = (value, { options }): CastResult => {
  const isSeveral = leadsToSeveral(options);
  const all = targetsOf(value, isSeveral);
  const targets = isSeveral ? firstDifferent(all) : all.slice(0, 1);
  return targets.length === 0
    ? { value: null, note: 'dropped' }
    : { value: targets, note: targets.length < all.length ? 'dropped' : 'converted' };
};

const text = Type.String({ maxLength: 200 });
const optionalText = Type.Optional(Type.Union([text, Type.Null()]));

export const link: FieldType = {
  type: 'link',
  defaultName: 'Link',
  optionsSchema: Type.Object({
    relationship: Type.Enum([...relationships]),
    foreignTableId: Type.String({ maxLength: 100 }),
    isOneWay: Type.Optional(Type.Boolean()),
    baseId: optionalText,
    lookupFieldId: optionalText,
    filterByViewId: optionalText,
    visibleFieldIds: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 }), Type.Null()]),
    ),
    filter: Type.Optional(Type.Unknown()),
    // Made by the server. Clients send fields back as they got them.
    symmetricFieldId: optionalText,
    fkHostTableName: optionalText,
    selfKeyName: optionalText,
    foreignKeyName: optionalText,
  }),
  isComputed: false,
  canBePrimary: false,
  canBeUnique: false,
  canBeNotNull: true,
  cells: ({ options }) => (leadsToSeveral(options) ? linkListCells : linkCells),
  completeOptions: (given) => given,
  read(value, { options }) {
    const refused = { ok: false, expected: expected(options) } as const;
    if (!leadsToSeveral(options)) {
      const id = idOf(value);
      return id === undefined ? refused : { ok: true, value: [{ id }] };
    }
    if (!Array.isArray(value)) return refused;
    if (value.length === 0) return { ok: true, value: null };
    if (value.length > linkLimits.written)
      return {
        ok: false,
        expected: `at most ${linkLimits.written} records in one cell; link the others from their side`,
      };
    const ids = value.map(idOf);
    if (ids.includes(undefined)) return refused;
    if (new Set(ids).size < ids.length) return { ok: false, expected: `${expected(options)}, each record once` };
    return { ok: true, value: ids.map((id) => ({ id })) };
  },
  cast,
  // Titles follow the linked records.
  identity: (value) => (value === null ? null : [value].flat().map(idOf)),
  defaultCell: () => null,
  convert: keepSameType,
  carry: carryText,
};
