// One record template: its name, and the values that new records begin with.
import type { Field } from '@rowhouse/contract/field.ts';
import {
  createRecordTemplate,
  fitsTemplate,
  type RecordTemplate,
  updateRecordTemplate,
} from '@rowhouse/contract/record-template.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { type FormEvent, useState } from 'react';
import { call } from '../../app/call.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { reloadTemplates } from '../../record-data/record-templates.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.ts';
import { BulkField } from '../../view-type/grid/bulk/bulk-field.tsx';
import { type Drafts, readDrafts, refusedFields } from '../../view-type/grid/bulk/bulk-values.ts';

interface TemplateDialogProps {
  tableId: string;
  /** In the order of the view. */
  fields: readonly Field[];
  people: readonly BasePerson[];
  /** The one that is changed; absent: a new one. */
  template?: RecordTemplate | undefined;
  /** Its values are those of a new template. */
  from?: RecordVo | undefined;
  onClose: () => void;
}

export const TemplateDialog = ({ tableId, fields, people, template, from, onClose }: TemplateDialogProps) => {
  // A template names choices that are there.
  const shown = fields
    .filter(fitsTemplate)
    .map((field) => ({ ...field, options: { ...field.options, preventAutoNewOptions: true } }) as Field);
  const values = template?.fields ?? from?.fields ?? {};
  const [name, setName] = useState(template?.name ?? from?.name ?? '');
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  const [reasons, setReasons] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const setDraft = (fieldId: string, draft: { value: unknown } | undefined): void => {
    const next = new Map(drafts);
    if (draft === undefined) next.delete(fieldId);
    else next.set(fieldId, draft.value);
    setDrafts(next);
    const rest = new Map(reasons);
    rest.delete(fieldId);
    setReasons(rest);
    setProblem(null);
  };

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const read = readDrafts(shown, drafts);
    setReasons(read.reasons);
    if (read.reasons.size > 0) return;
    setBusy(true);
    setProblem(null);
    const body = { name: name.trim(), fields: Object.fromEntries(read.values), fieldKeyType: 'id' as const };
    try {
      if (template === undefined)
        await call(createRecordTemplate, {
          params: { tableId },
          body: { ...body, ...(from === undefined ? {} : { recordId: from.id }) },
        });
      else await call(updateRecordTemplate, { params: { tableId, recordTemplateId: template.id }, body });
      await reloadTemplates(tableId);
      if (from !== undefined)
        showToast({ kind: 'note', title: 'Template saved.', detail: 'Choose it beside “New record”.' });
      onClose();
    } catch (error) {
      const refused = refusedFields(error);
      setReasons(refused);
      setProblem(refused.size === 0 ? error : null);
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      wide
      onClose={() => !busy && onClose()}
      title={template === undefined ? 'New template' : 'Edit template'}
      description="New records made with this template begin with these values."
    >
      <form className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
        <TextField
          label="Name of the template"
          value={name}
          autoFocus
          maxLength={255}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
        />
        {/* High enough for the calendar of a date, which opens inside of it. */}
        <div className="flex max-h-[50vh] min-h-[min(24rem,50vh)] flex-col gap-4 overflow-y-auto px-0.5 pb-1">
          {shown.map((field) => (
            <BulkField
              key={`${field.id} ${field.type}`}
              tableId={tableId}
              field={field}
              shared={{ is: 'same', value: values[field.id] }}
              draft={drafts.has(field.id) ? { value: drafts.get(field.id) } : undefined}
              people={people}
              reason={reasons.get(field.id)}
              onDraft={(draft) => setDraft(field.id, draft)}
            />
          ))}
        </div>
        <ProblemNote error={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy} disabled={name.trim() === ''}>
            {template === undefined ? 'Create template' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
