// What a form fills a field with to begin with.
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import { type ReactNode, useId, useState } from 'react';
import { inputClass } from '../../ui/text-field.tsx';
import { editingOf } from '../../field-type/cell-editor.tsx';
import { fieldFormOf } from '../../field-type/field-forms.ts';
import { cellText } from '../../field-type/cell-text.ts';
import { readDraft } from '../../field-type/read-draft.ts';
import { SavedText } from './saved-text.tsx';

interface DefaultCellProps {
  field: Field;
  value: unknown;
  /** null: nothing. */
  onSave: (value: unknown) => void;
}

const label = 'Default answer';

const Frame = ({ id, children }: { id: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1.5">
    <label htmlFor={id} className="text-[13px] font-medium text-ink-soft">
      {label}
    </label>
    {children}
  </div>
);

const ReadText = ({ field, value, onSave }: DefaultCellProps) => {
  const id = useId();
  const [reason, setReason] = useState<string>();
  const isText = kindOf(field) === 'text';
  const save = (text: string): void => {
    const draft = isText
      ? ({ ok: true, value: text === '' ? null : text } as const)
      : readDraft(field, { unparsed: text });
    setReason(draft.ok ? undefined : draft.reason);
    if (draft.ok) onSave(draft.value);
  };
  return (
    <Frame id={id}>
      <SavedText
        id={id}
        label={label}
        className={inputClass}
        placeholder="Nothing"
        maxLength={10_000}
        multiline={editingOf(field.type).frame === 'lines'}
        value={value == null ? '' : cellText(field, value)}
        onSave={save}
      />
      {reason !== undefined && <p className="text-[13px] text-danger">{reason}</p>}
    </Frame>
  );
};

export const DefaultCell = (props: DefaultCellProps) => {
  const { field, value, onSave } = props;
  const { Choose } = fieldFormOf(field.type);
  if (Choose !== undefined)
    return (
      <Choose
        label={label}
        options={field.options}
        people={[]}
        given={value}
        set={(next) => onSave(next === '' || (Array.isArray(next) && next.length === 0) ? null : next)}
      />
    );
  // People, files and records are not known before somebody fills in the form.
  return editingOf(field.type).frame === 'list' ? null : <ReadText {...props} />;
};
