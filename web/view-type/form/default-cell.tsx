// What a form fills a field with to begin with.
import type { Field } from '@rowhouse/contract/field.ts';
import { type ReactNode, useId, useState } from 'react';
import { MultiSelect } from '../../ui/multi-select.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { cellOptions } from '../../field-type/cell/cell-options.tsx';
import { cellText } from '../../record-data/cell/cell-text.ts';
import { readDraft } from '../../field-type/cell/read-draft.ts';
import { SavedText } from './saved-text.tsx';

interface DefaultCellProps {
  field: Field;
  value: unknown;
  /** null: nothing. */
  onSave: (value: unknown) => void;
}

const label = 'Filled in with';
const nothing = { value: '', label: 'Nothing' };

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
  const isText = field.type === 'singleLineText' || field.type === 'longText';
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
        multiline={field.type === 'longText'}
        value={value == null ? '' : cellText(field, value)}
        onSave={save}
      />
      {reason !== undefined && <p className="text-[13px] text-danger">{reason}</p>}
    </Frame>
  );
};

export const DefaultCell = (props: DefaultCellProps) => {
  const { field, value, onSave } = props;
  const options = cellOptions(field, []) ?? [];
  switch (field.type) {
    case 'singleLineText':
    case 'longText':
    case 'number':
    case 'date':
      return <ReadText {...props} />;
    case 'checkbox':
      return (
        <SelectField
          label={label}
          value={value === true ? 'true' : ''}
          options={[
            { value: '', label: 'Not checked' },
            { value: 'true', label: 'Checked' },
          ]}
          onValue={(next) => onSave(next === 'true' ? true : null)}
        />
      );
    case 'rating': {
      const max = typeof field.options['max'] === 'number' ? field.options['max'] : 5;
      return (
        <SelectField
          label={label}
          value={typeof value === 'number' ? String(value) : ''}
          options={[
            nothing,
            ...Array.from({ length: max }, (_one, at) => ({ value: String(at + 1), label: '★'.repeat(at + 1) })),
          ]}
          onValue={(next) => onSave(next === '' ? null : Number(next))}
        />
      );
    }
    case 'singleSelect':
      return (
        <SelectField
          label={label}
          value={typeof value === 'string' ? value : ''}
          options={[nothing, ...options]}
          onValue={(next) => onSave(next === '' ? null : next)}
        />
      );
    case 'multipleSelect':
      return (
        <div className="flex flex-col gap-1.5">
          <span className="text-[13px] font-medium text-ink-soft">{label}</span>
          <MultiSelect
            label={label}
            values={Array.isArray(value) ? value.map(String) : []}
            options={options}
            placeholder="Nothing"
            onValues={(next) => onSave(next.length === 0 ? null : next)}
          />
        </div>
      );
    default:
      return null;
  }
};
