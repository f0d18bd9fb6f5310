import { useState } from 'react';
import { cellOfLinks, leadsToSeveral, type Linked, linksOf, withIds } from './linked.ts';
import { RecordPicker } from './record-picker.tsx';
import type { CellEditing, EditorProps } from '../editor/editor-props.ts';
import { LinkValue } from './link-value.tsx';

const LinkEditor = ({ field, value, recordId, initialText, label, autoFocus, onChange, onFinish }: EditorProps) => {
  const several = leadsToSeveral(field);
  const [chosen, setChosen] = useState<readonly Linked[]>(() => linksOf(value));
  return (
    <RecordPicker
      label={label}
      field={field}
      recordId={recordId}
      linked={withIds(chosen, linksOf(value))}
      initialText={initialText}
      autoFocus={autoFocus}
      mayCreate={field.options['preventAutoNewOptions'] !== true}
      onLinked={(next, isLeaving) => {
        setChosen(next);
        const cell = cellOfLinks(next, several);
        if (several || isLeaving) onChange(cell, chosen);
        else onFinish(cell);
      }}
    />
  );
};

export const linkEditing: CellEditing = {
  Editor: LinkEditor,
  frame: 'list',
  size: { width: 300, height: 340 },
  ConditionValue: LinkValue,
};
