// What a cell can be set to, as options to pick from: choices as pills, people with their picture.
import { cellKinds, type Field } from '@rowhouse/contract/field.ts';
import { Avatar } from '../../ui/avatar.tsx';
import type { Option } from '../../ui/option-list.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { type Choice, choicesOf } from './cell-parts.ts';
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

export const choiceOptions = (options: Record<string, unknown>): Option[] => choicesOf({ options }).map(choiceOption);

/** undefined: it is not picked from a list. */
export const cellOptions = (
  field: Pick<Field, 'type' | 'options'>,
  people: readonly BasePerson[],
): Option[] | undefined => {
  const kind = cellKinds[field.type];
  if (kind === 'choice') return choiceOptions(field.options);
  return kind === 'person' ? people.map(personOption) : undefined;
};
