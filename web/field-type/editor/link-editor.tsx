import { useState } from 'react';
import { cellOfLinks, leadsToSeveral, type Linked, linksOf, withIds } from '../link/linked.ts';
import { RecordPicker } from '../link/record-picker.tsx';
import type { EditorProps } from './editor-props.ts';

export const LinkEditor = ({
  field,
  value,
  recordId,
  initialText,
  label,
  autoFocus,
  onChange,
  onFinish,
}: EditorProps) => {
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
