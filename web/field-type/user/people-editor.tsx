import { useState } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { peopleOf } from '../cell/cell-parts.ts';
import type { CellEditing, EditorProps } from '../editor/editor-props.ts';
import { OptionList, type Picking } from '../editor/option-list.tsx';

const PeopleEditor = ({ field, value, initialText, people, label, autoFocus, onChange, onFinish }: EditorProps) => {
  const several = field.options['isMultiple'] === true;
  const [chosen, setChosen] = useState(() => peopleOf(value));

  const pick = (id: string, { isNamed, isLeaving }: Picking): void => {
    const person = people.find((candidate) => candidate.id === id);
    if (person === undefined) return;
    const isChosen = chosen.some((candidate) => candidate.id === id);
    const cell = { id, title: person.name, email: person.email };
    if (!several) {
      const next = isChosen && !isNamed ? null : cell;
      setChosen(next === null ? [] : [next]);
      if (isLeaving) onChange(next);
      else onFinish(next);
      return;
    }
    const next = !isChosen ? [...chosen, cell] : isNamed ? chosen : chosen.filter((candidate) => candidate.id !== id);
    setChosen(next);
    onChange(next.length === 0 ? null : next, chosen);
  };

  return (
    <OptionList
      label={label}
      initialText={initialText}
      autoFocus={autoFocus}
      selected={chosen.map((person) => person.id)}
      options={people.map(({ id, name, email, avatar }) => ({
        key: id,
        text: `${name} ${email}`,
        content: (
          <span className="flex items-center gap-2">
            <Avatar name={name} seed={id} picture={avatar} small />
            <span className="truncate">{name}</span>
          </span>
        ),
      }))}
      onPick={pick}
    />
  );
};

export const peopleEditing: CellEditing = { Editor: PeopleEditor, frame: 'list' };
