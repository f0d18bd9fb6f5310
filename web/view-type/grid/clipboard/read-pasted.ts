// What is pasted into a cell. The full value where the cell was copied from one of its kind; else the text, read as if
// it had been typed. What cannot be read is not forced: the cell keeps its value, and the text is shown with a reason.
import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import { readYesNo } from '@rowhouse/contract/yes-no.ts';
import { choicesOf, listOf } from '../../../record-data/cell/cell-text.ts';
import { type Draft, readDraft } from '../../../field-type/cell/read-draft.ts';
import type { BasePerson } from '../../../record-data/queries.ts';
import { cellOfLinks, leadsToSeveral, linkOptionsOf, linksOf } from '../../../field-type/link/linked.ts';
import type { CopiedCell, CopiedField } from './clipboard.ts';

const kinds: Partial<Record<FieldTypeName, string>> = {
  singleLineText: 'text',
  longText: 'text',
  number: 'number',
  autoNumber: 'number',
  rating: 'rating',
  checkbox: 'checkbox',
  date: 'date',
  createdTime: 'date',
  lastModifiedTime: 'date',
  singleSelect: 'choice',
  multipleSelect: 'choice',
  user: 'person',
  attachment: 'file',
  createdBy: 'person',
  lastModifiedBy: 'person',
};

const fits = (value: unknown): Draft => ({ ok: true, value });
const refuse = (text: string, reason: string): Draft => ({ ok: false, reason: `“${text}” ${reason}` });

/** Names between commas; those that hold one are quoted. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)]
    .map(([, quoted, plain = '']) => (quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"')))
    .filter((name) => name !== '');

const choices = (field: Field, names: readonly string[], text: string): Draft => {
  const known = choicesOf(field);
  const chosen = names.map(
    (name) =>
      known.find((choice) => choice.name === name)?.name ??
      known.find((choice) => choice.name.toLowerCase() === name.toLowerCase())?.name ??
      name,
  );
  const missing =
    field.options['preventAutoNewOptions'] === true
      ? chosen.find((name) => !known.some((choice) => choice.name === name))
      : undefined;
  if (missing !== undefined) return refuse(text, `is not among the choices of ${field.name}.`);
  return fits(chosen.length === 0 ? null : field.type === 'singleSelect' ? chosen[0] : [...new Set(chosen)]);
};

const persons = (field: Field, text: string, people: readonly BasePerson[]): Draft => {
  const several = field.options['isMultiple'] === true;
  const found = namesIn(text).map((name) =>
    people.find((person) =>
      [person.name, person.email, person.id].some((known) => known.toLowerCase() === name.toLowerCase()),
    ),
  );
  if (found.includes(undefined)) return refuse(text, 'is nobody of this base.');
  if (!several && found.length > 1) return refuse(text, `is more than one person; ${field.name} holds one.`);
  const cells = found.flatMap((person) =>
    person === undefined ? [] : [{ id: person.id, title: person.name, email: person.email }],
  );
  return fits(cells.length === 0 ? null : several ? cells : cells[0]);
};

const stars = (field: Field, text: string): Draft => {
  const max = typeof field.options['max'] === 'number' ? field.options['max'] : 5;
  const count = /^[★⭐]+$/u.test(text) ? [...text].length : Number(text);
  return Number.isInteger(count) && count >= 0 && count <= max
    ? fits(count === 0 ? null : count)
    : refuse(text, `is not a rating from 0 to ${max}.`);
};

const readText = (field: Field, given: string, people: readonly BasePerson[]): Draft => {
  const text = given.trim();
  if (text === '') return fits(null);
  switch (field.type) {
    case 'number':
    case 'date':
      return readDraft(field, { unparsed: text });
    case 'rating':
      return stars(field, text);
    case 'checkbox':
      return readYesNo(text) === undefined
        ? refuse(text, 'is neither yes nor no.')
        : fits(readYesNo(text) === true ? true : null);
    case 'singleSelect':
      return choices(field, [text], text);
    case 'multipleSelect':
      return choices(field, namesIn(text), text);
    case 'user':
      return persons(field, text, people);
    case 'link':
      return fits(leadsToSeveral(field) ? namesIn(text).map((title) => ({ title })) : { title: text });
    case 'attachment':
      return refuse(text, 'is not a file. Open the cell to add one.');
    default:
      return fits(given);
  }
};

/** `from` is the field that it was copied from; undefined for what another program has copied. */
export const readPasted = (
  field: Field,
  { text, value }: CopiedCell,
  from: Pick<CopiedField, 'type' | 'leadsTo'> | undefined,
  people: readonly BasePerson[],
): Draft => {
  const isSameTable =
    field.type === 'link' && from?.type === 'link' && from.leadsTo === linkOptionsOf(field).foreignTableId;
  if (isSameTable)
    return fits(cellOfLinks(linksOf(value).slice(0, leadsToSeveral(field) ? undefined : 1), leadsToSeveral(field)));
  const kind = from === undefined ? undefined : kinds[from.type];
  if (kind === undefined || kind !== kinds[field.type]) return readText(field, text, people);
  if (value === undefined) return fits(null);
  if (kind === 'choice') return choices(field, listOf(value).map(String), text);
  if (kind === 'person')
    return persons(
      field,
      listOf(value)
        .map((person) => String((person as { id?: unknown }).id))
        .join(','),
      people,
    );
  if (kind === 'rating') return stars(field, String(value));
  return fits(value);
};
