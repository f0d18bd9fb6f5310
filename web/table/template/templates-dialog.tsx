// The record templates of a table: edited, deleted, and chosen as what new records of this view begin with.
import type { Field } from '@rowhouse/contract/field.ts';
import {
  deleteRecordTemplate,
  type RecordTemplate,
  restoreRecordTemplate,
} from '@rowhouse/contract/record-template.ts';
import { setViewOptions, type View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { type BasePerson, viewsQuery } from '../../record-data/queries.ts';
import { defaultTemplateOf, recordTemplatesQuery, reloadTemplates } from '../../record-data/record-templates.ts';
import { TemplateDialog } from '../../record/template/template-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/check-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { counted, showProblem, showToast } from '../../ui/toast.ts';

interface TemplatesDialogProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  maySetDefault: boolean;
  onClose: () => void;
}

const deleteWithUndo = async (tableId: string, { id, name }: RecordTemplate): Promise<void> => {
  const params = { tableId, recordTemplateId: id };
  try {
    await call(deleteRecordTemplate, { params });
    showToast({
      kind: 'note',
      title: `“${name}” deleted.`,
      action: {
        label: 'Undo',
        run: () =>
          void call(restoreRecordTemplate, { params })
            .then(() => reloadTemplates(tableId))
            .catch((error: unknown) => showProblem(error, 'The template was not restored.')),
      },
    });
  } catch (error) {
    showProblem(error, 'The template was not deleted.');
  }
  await reloadTemplates(tableId);
};

export const TemplatesDialog = ({ tableId, view, fields, people, maySetDefault, onClose }: TemplatesDialogProps) => {
  const { data: templates, error } = useQuery(recordTemplatesQuery(tableId));
  const [editing, setEditing] = useState<RecordTemplate | 'new'>();
  const usual = defaultTemplateOf(view);
  const setDefault = async (recordTemplateId: string | null): Promise<void> => {
    try {
      await call(setViewOptions, { params: { tableId, viewId: view.id }, body: { options: { recordTemplateId } } });
    } catch (thrown) {
      showProblem(thrown, 'The default was not changed.');
    }
    await queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey });
  };
  if (editing !== undefined)
    return (
      <TemplateDialog
        tableId={tableId}
        fields={fields}
        people={people}
        template={editing === 'new' ? undefined : editing}
        onClose={() => setEditing(undefined)}
      />
    );
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Record templates"
      description="Values that new records of this table can begin with."
    >
      {templates === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ProblemNote error={error} />
        )
      ) : (
        <>
          {templates.length === 0 && (
            <p className="py-2 text-ink-soft">
              No templates yet. Create one here, or choose “Save as template” in the menu of an open record.
            </p>
          )}
          <ul aria-label="Record templates" className="flex flex-col divide-y divide-line">
            {templates.map((template) => {
              const { id, name, fields: values } = template;
              const count = Object.keys(values).length;
              return (
                <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
                  <span className="min-w-20 flex-1">
                    <span className="block truncate font-medium">{name}</span>
                    <span className="block text-[13px] text-ink-faint">
                      {count === 0 ? 'No values' : counted(count, 'value')}
                    </span>
                  </span>
                  {maySetDefault && (
                    <span className="text-[13px]">
                      <CheckField
                        label="Default in this view"
                        checked={id === usual}
                        onChecked={(checked) => void setDefault(checked ? id : null)}
                      />
                    </span>
                  )}
                  <span className="flex">
                    <IconButton label={`Edit ${name}`} onClick={() => setEditing(template)}>
                      <Pencil size={16} />
                    </IconButton>
                    <IconButton label={`Delete ${name}`} onClick={() => void deleteWithUndo(tableId, template)}>
                      <Trash2 size={16} />
                    </IconButton>
                  </span>
                </li>
              );
            })}
          </ul>
          <div className="mt-4 flex flex-wrap justify-between gap-2">
            <Button icon={<Plus size={16} />} onClick={() => setEditing('new')}>
              New template
            </Button>
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
};
