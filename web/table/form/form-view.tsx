// A form that makes one record at a time.
import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { type FormEvent, useState } from 'react';
import { call } from '../../app/call.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { showToast } from '../../ui/toast.ts';
import { readDraft } from '../cell/read-draft.ts';
import { isHidden, metaOf, orderedFields } from '../columns.ts';
import type { BasePerson } from '../editor/editor-props.ts';
import { FormField } from './form-field.tsx';

export interface FormViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Role;
}

export const FormView = ({ tableId, view, fields, people, role }: FormViewProps) => {
  const [cells, setCells] = useState<Record<string, unknown>>({});
  const [reasons, setReasons] = useState<Record<string, string>>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  // The editors keep what is typed; a new number empties them.
  const [round, setRound] = useState(0);
  const shown = orderedFields(fields, view).filter((field) => field.isComputed !== true && !isHidden(view, field));
  const submitLabel = view.options['submitLabel'];

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const read = shown.map((field) => ({ field, draft: readDraft(field, cells[field.id]) }));
    const isMissing = (field: Field, value: unknown): boolean => value === null && (field.notNull === true || (metaOf(view, field.id) as { required?: boolean }).required === true);
    const wrong = Object.fromEntries(read.flatMap(({ field, draft }) => (draft.ok ? (isMissing(field, draft.value) ? [[field.id, 'This field is required.']] : []) : [[field.id, draft.reason]])));
    setReasons(wrong);
    setError(null);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      const given = read.flatMap(({ field, draft }) => (draft.ok && draft.value !== null ? [[field.id, draft.value]] : []));
      await call(createRecords, { params: { tableId }, body: { records: [{ fields: Object.fromEntries(given) }], fieldKeyType: 'id' } });
      setCells({});
      setRound(round + 1);
      showToast({ kind: 'note', title: 'The record was added.' });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4 sm:p-8">
      <form onSubmit={(event) => void submit(event)} className="mx-auto flex w-full max-w-xl flex-col gap-5 rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8">
        <div>
          <h2 className="text-xl font-semibold tracking-tight">{view.name}</h2>
          {view.description !== undefined && <p className="mt-1 text-ink-soft">{view.description}</p>}
        </div>
        {shown.map((field) => (
          <FormField key={`${field.id} ${round}`} field={field} value={cells[field.id]} people={people} reason={reasons[field.id]} onChange={(value) => setCells((before) => ({ ...before, [field.id]: value }))} />
        ))}
        <ProblemNote error={error} />
        <Button look="primary" size="large" type="submit" busy={busy} disabled={!allows(role, 'record|create')}>
          {typeof submitLabel === 'string' && submitLabel !== '' ? submitLabel : 'Submit'}
        </Button>
      </form>
    </div>
  );
};
