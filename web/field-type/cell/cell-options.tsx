// What a cell can be set to, as options to pick from: choices as pills, people with their picture.
import type { Field } from '@rowhouse/contract/field.ts';
import { Avatar } from '../../ui/avatar.tsx';
import type { Option } from '../../ui/option-list.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { type Choice, choicesOf } from '../../record-data/cell/cell-text.ts';
import { Pill } from './pill.tsx';

const choiceOption = ({ name, color }: Pick<Choice, 'name' | 'color'>): Option => ({
  value: name,
  label: name,
  content: <Pill text={name} color={color} />,
});

export const personOption = ({ id, name, avatar }: Pick<BasePerson, 'id' | 'name' | 'avatar'>): Option => ({
  value: id,
  label: name,
  content: (
    <span className="flex items-center gap-2">
      <Avatar name={name} seed={id} picture={avatar} small />
      <span className="truncate">{name}</span>
    </span>
  ),
});

const peopleTypes: readonly string[] = ['user', 'createdBy', 'lastModifiedBy'];

/** undefined: it is not picked from a list. */
export const cellOptions = (
  field: Pick<Field, 'type' | 'options'>,
  people: readonly BasePerson[],
): Option[] | undefined => {
  if (field.type === 'singleSelect' || field.type === 'multipleSelect') return choicesOf(field).map(choiceOption);
  return peopleTypes.includes(field.type) ? people.map(personOption) : undefined;
};
