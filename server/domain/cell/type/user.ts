// user: one or several people of the base, kept with name and address as they were when written.
import { isMe } from '@rowhouse/contract/filter.ts';
import { Type } from 'typebox';
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { avatarAddress } from '../../user/user.sql.ts';
import { personCells, personListCells } from '../kind/person.sql.ts';
import type { CastResult, CellContext, FieldType, Person } from '../type.ts';
import { carryText } from './convert.ts';
import { splitList } from './select.ts';

interface UserCell {
  id: string;
  title: string;
  email: string;
  /** The same whichever picture they have: cells are not written again when it changes. */
  avatarUrl: string;
}

const userCell = (person: Person): UserCell => ({
  id: person.id,
  title: person.name,
  email: person.email,
  avatarUrl: avatarAddress + person.id,
});

/** Cells of people for those who may not see addresses: as values, where they do not come from the database as text. */
export const withoutEmails = <T>(cell: T): T => {
  if (Array.isArray(cell)) return cell.map((person: unknown) => withoutEmails(person)) as T;
  return typeof cell === 'object' && cell !== null ? { ...cell, email: '' } : cell;
};

const isMultiple = (options: Record<string, unknown>): boolean => options.isMultiple === true;

const idOf = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id } = value as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
};

const expected = (field: FieldSchema): string =>
  isMultiple(field.options)
    ? 'a list of people of this base, such as [{"id": "usr…", "title": "…"}]'
    : 'a person of this base, such as {"id": "usr…", "title": "…"}';

/** By id, then e-mail address, then name; a name that several people have finds nobody. */
const find = (text: string, people: readonly Person[]): Person | undefined => {
  const wanted = text.trim();
  const lower = wanted.toLowerCase();
  const exact =
    people.find((person) => person.id === wanted) ?? people.find((person) => person.email.toLowerCase() === lower);
  if (exact !== undefined) return exact;
  const named = people.filter((person) => person.name === wanted);
  return named.length === 1 ? named[0] : undefined;
};

const wordsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return splitList(value);
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (typeof value !== 'object' || value === null) return [];
  const { id, email, title, name } = value as Record<string, unknown>;
  const word = [id, email, title, name].find((part) => typeof part === 'string');
  return word === undefined ? [] : [word as string];
};

const castPeople = (value: unknown, field: FieldSchema, context: CellContext): CastResult => {
  const words = wordsOf(value);
  // A single cell takes a name as it is: it may hold a comma.
  const whole = typeof value === 'string' ? find(value, context.people) : undefined;
  const found = whole === undefined ? words.map((word) => find(word, context.people)) : [whole];
  const people = [...new Set(found.filter((person) => person !== undefined))];
  if (people.length === 0) return { value: null, note: 'dropped' };
  const note = found.includes(undefined) ? 'dropped' : 'converted';
  return isMultiple(field.options)
    ? { value: people.map(userCell), note }
    : { value: userCell(people[0] as Person), note };
};

export const user: FieldType = {
  type: 'user',
  defaultName: 'Collaborator',
  optionsSchema: Type.Object({
    isMultiple: Type.Optional(Type.Boolean()),
    shouldNotify: Type.Optional(Type.Boolean()),
    defaultValue: Type.Optional(
      Type.Union([
        Type.String({ maxLength: 50 }),
        Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 }),
        Type.Null(),
      ]),
    ),
  }),
  isComputed: false,
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: true,
  namesPeople: true,
  notifies: ({ shouldNotify }) => shouldNotify !== false,
  cells: ({ options }) => (isMultiple(options) ? personListCells : personCells),
  completeOptions: (given) => ({
    isMultiple: given.isMultiple ?? false,
    shouldNotify: given.shouldNotify ?? true,
    ...(given.defaultValue === undefined || given.defaultValue === null ? {} : { defaultValue: given.defaultValue }),
  }),
  read(value, field, context) {
    const personOf = (item: unknown): Person | undefined => context.people.find((person) => person.id === idOf(item));
    if (!isMultiple(field.options)) {
      const person = personOf(value);
      return person === undefined ? { ok: false, expected: expected(field) } : { ok: true, value: userCell(person) };
    }
    if (!Array.isArray(value)) return { ok: false, expected: expected(field) };
    if (value.length === 0) return { ok: true, value: null };
    const people = value.map(personOf);
    if (people.includes(undefined) || new Set(people).size !== people.length)
      return { ok: false, expected: expected(field) };
    return { ok: true, value: (people as Person[]).map(userCell) };
  },
  cast: castPeople,
  defaultCell(field, context) {
    const ids = [
      ...new Set(
        ([field.options.defaultValue ?? []].flat() as string[]).map((id) => (isMe(id) ? context.callerId : id)),
      ),
    ];
    const people = ids
      .map((id) => context.people.find((person) => person.id === id))
      .filter((person) => person !== undefined);
    if (people.length === 0) return null;
    return isMultiple(field.options) ? people.map(userCell) : userCell(people[0] as Person);
  },
  convert(from, _source, to) {
    if (from.type !== to.type) return null;
    if (isMultiple(from.options) === isMultiple(to.options)) return [];
    const filled = (column: Sql): Sql => sql`${column} is not null`;
    return isMultiple(to.options)
      ? [{ update: (column) => sql`jsonb_build_array(${column})`, where: filled }]
      : [{ update: (column) => sql`${column} -> 0`, where: filled }];
  },
  carry: carryText,
};
