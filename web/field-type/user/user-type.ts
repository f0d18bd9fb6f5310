import type { Field } from '@rowhouse/contract/field.ts';
import { UserRound } from 'lucide-react';
import type { BasePerson } from '../../record-data/queries.ts';
import { listOf, peopleOf } from '../cell/cell-parts.ts';
import { namesIn } from '../cell/names-in.ts';
import { type Draft, type FieldTypeEntry, fits, refuse } from '../field-type.ts';

export const peopleCells = {
  text: (_field, value) =>
    peopleOf(value)
      .map(({ title }) => title)
      .join(', '),
  show: (_field, value) => ({
    as: 'pills',
    pills: peopleOf(value).map(({ id, title }) => ({ text: title, person: { id, title } })),
    left: 0,
  }),
  takesLists: true,
  valueKind: 'person',
} satisfies Partial<FieldTypeEntry>;

/** By name, address or id. */
const readPeople = (field: Field, text: string, people: readonly BasePerson[]): Draft => {
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

export const user: FieldTypeEntry = {
  label: 'People',
  meaning: 'People who use this base',
  icon: UserRound,
  ...peopleCells,
  read: readPeople,
  readValue: (field, value, _text, people) =>
    readPeople(
      field,
      listOf(value)
        .map((person) => String((person as { id?: unknown }).id))
        .join(','),
      people,
    ),
};
