import { convertField, createField, type Field, type FieldTypeName } from '@rowhouse/contract/field.ts';
import { type FormEvent, useState } from 'react';
import { call } from '../../app/call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { fieldTypeInfo, fieldTypeInfos } from '../field-type.ts';
import { FieldOptions } from './field-options.tsx';

export interface FieldDialogProps {
  tableId: string;
  /** The field to change; a new one without it. */
  field?: Field | undefined;
  /** Where a new field stands. */
  order?: { viewId: string; orderIndex: number } | undefined;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}

/** Makes a field, or changes its type and options. */
export const FieldDialog = ({ tableId, field, order, onClose, onSaved }: FieldDialogProps) => {
  const [name, setName] = useState(field?.name ?? '');
  const [type, setType] = useState<FieldTypeName>(field?.type ?? 'singleLineText');
  const [options, setOptions] = useState<Record<string, unknown>>(field?.options ?? {});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const changesType = field !== undefined && type !== field.type;

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const body = { type, options, ...(name.trim() === '' ? {} : { name: name.trim() }) };
    try {
      await (field === undefined
        ? call(createField, { params: { tableId }, body: { ...body, ...(order === undefined ? {} : { order }) } })
        : call(convertField, { params: { tableId, fieldId: field.id }, body }));
      await onSaved();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };

  return (
    <Dialog open onClose={onClose} title={field === undefined ? 'New field' : `Edit ${field.name}`}>
      <form onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
        <TextField label="Name" autoFocus maxLength={255} placeholder={fieldTypeInfo(type).label} value={name} onChange={(event) => setName(event.target.value)} />
        <SelectField
          label="Type"
          value={type}
          options={fieldTypeInfos.map((info) => ({ value: info.type, label: `${info.label}: ${info.meaning.toLowerCase()}` }))}
          onValue={(next) => {
            setType(next as FieldTypeName);
            setOptions(next === field?.type ? field.options : {});
          }}
        />
        <FieldOptions type={type} options={options} onChange={setOptions} />
        {changesType && <p className="rounded-lg bg-warn-soft px-3 py-2 text-warn">Cells are carried over where the new type can hold them, and emptied where it cannot.</p>}
        <ProblemNote error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy}>
            {field === undefined ? 'Add field' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
