import { useState } from 'react';
import { choicesOf, listOf } from '../cell/cell-parts.ts';
import { Pill } from '../cell/pill.tsx';
import type { CellEditing, EditorProps } from '../editor/editor-props.ts';
import { OptionList, type Picking } from '../editor/option-list.tsx';

const SelectEditor = ({ field, value, initialText, label, autoFocus, onChange, onFinish }: EditorProps) => {
  const several = field.isMultipleCellValue === true;
  const [names, setNames] = useState(() => listOf(value).map(String));
  const choices = choicesOf(field);
  const extra = names
    .filter((name) => !choices.some((choice) => choice.name === name))
    .map((name) => ({ id: name, name, color: 'grayLight1' }));

  const pick = (name: string, { isNamed, isLeaving }: Picking): void => {
    if (!several) {
      const next = names.includes(name) && !isNamed ? null : name;
      setNames(next === null ? [] : [next]);
      if (isLeaving) onChange(next);
      else onFinish(next);
      return;
    }
    const next = !names.includes(name) ? [...names, name] : isNamed ? names : names.filter((item) => item !== name);
    setNames(next);
    onChange(next.length === 0 ? null : next, names);
  };

  return (
    <OptionList
      label={label}
      initialText={initialText}
      autoFocus={autoFocus}
      selected={names}
      options={[...choices, ...extra].map(({ name, color }) => ({
        key: name,
        text: name,
        content: <Pill text={name} color={color} />,
      }))}
      onPick={pick}
      onCreate={field.options['preventAutoNewOptions'] === true ? undefined : pick}
    />
  );
};

export const selectEditing: CellEditing = { Editor: SelectEditor, frame: 'list' };
