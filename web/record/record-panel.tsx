// One record with all of its fields, what is said about it, and what happened to it.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Standing } from '../app/standing.ts';
import { askWho } from '../app/who-state.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { lazy, Suspense, useEffect, useState } from 'react';
import { isHidden, orderedFields } from '../record-data/columns.ts';
import type { BasePerson } from '../record-data/queries.ts';
import { addFiles, takesFiles } from '../field-type/attachment/uploads.ts';
import { useFileDrop } from '../field-type/attachment/use-file-drop.ts';
import { recordQuery } from '../record-data/queries.ts';
import type { TableRecords } from '../record-data/table-records.ts';
import { classNames } from '../ui/class-names.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { commentCountQuery, useLiveComments } from './comment/queries.ts';
import { PanelFrame, tabClass, usePanelIsWide } from './panel-frame.tsx';
import { RecordBar } from './record-bar.tsx';
import { RecordField } from './record-field.tsx';
import { RecordHistory } from './record-history.tsx';
import { useRecordActions } from './use-record-actions.ts';

const Comments = lazy(async () => ({ default: (await import('./comment/comments.tsx')).Comments }));

const TemplateDialog = lazy(async () => ({
  default: (await import('./template/template-dialog.tsx')).TemplateDialog,
}));

interface RecordPanelProps {
  baseId: string;
  tableId: string;
  recordId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Standing;
  records: TableRecords;
  onClose: () => void;
  onOpen: (recordId: string) => void;
  onOpenLinked: (tableId: string, recordId: string) => void;
  /** Of a record that was opened from a link: back to where the link is, and the table where the record is. */
  onBack?: (() => void) | undefined;
  place?: string | undefined;
  /** A comment that is to be seen at once. */
  comment?: string | undefined;
  /** Was made a moment ago, to be filled in. */
  isNew?: boolean;
}

const focusFirstInput = (content: HTMLElement | null): void =>
  content?.querySelector<HTMLElement>('input:not([type=checkbox]), textarea')?.focus();

const withHidden = (record: RecordVo, hidden: readonly string[], whole: RecordVo | undefined): RecordVo | undefined => {
  if (hidden.length === 0 || whole === undefined) return hidden.length === 0 ? record : undefined;
  const cells = hidden.flatMap((id) => (whole.fields[id] === undefined ? [] : [[id, whole.fields[id]] as const]));
  return { ...record, fields: { ...Object.fromEntries(cells), ...record.fields } };
};

export const RecordPanel = ({
  baseId,
  tableId,
  recordId,
  view,
  fields,
  people,
  role,
  records,
  onClose,
  onOpen,
  onOpenLinked,
  onBack,
  place,
  comment,
  isNew = false,
}: RecordPanelProps) => {
  const { window, edits } = records;
  const shown = window.find(recordId);
  // The records of a view come without the fields that it hides.
  const hidden = fields.filter((field) => isHidden(view, field)).map(({ id }) => id);
  const [wasDeleted, setDeleted] = useState(false);
  useEffect(
    () =>
      records.listen(({ kind, recordIds }) => kind === 'deleted' && recordIds.includes(recordId) && setDeleted(true)),
    [records.listen, recordId],
  );
  const loaded = useQuery({
    ...recordQuery(tableId, recordId),
    enabled: shown === undefined || hidden.length > 0 || wasDeleted,
  });
  const isGone = loaded.error instanceof ApiError && loaded.error.code === 'not_found';
  const record = shown === undefined ? loaded.data : withHidden(shown, hidden, loaded.data);
  const row = window.placeOf(recordId);
  const neighbour = (step: number): (() => void) | undefined => {
    const next = row === undefined ? undefined : window.at(row + step);
    return next === undefined ? undefined : () => onOpen(next.id);
  };
  const actions = useRecordActions(tableId, view.id, recordId, records);
  const inset = usePanelIsWide() ? 'w-full max-w-3xl mx-auto px-6' : 'px-4';
  const ordered = orderedFields(fields, view);
  const mayEdit = allows(role, 'record|update') && !isGone;
  useLiveComments({ tableId, recordId }, records.listen);
  const commentCount = useQuery({ ...commentCountQuery({ tableId, recordId }), enabled: !isGone }).data ?? 0;

  // Files that are dropped beside the fields go into the first one that takes them.
  const filesField = mayEdit ? ordered.find(takesFiles) : undefined;
  const [isTemplating, setTemplating] = useState(false);
  const drop = useFileDrop(
    filesField === undefined
      ? undefined
      : (files) => void addFiles({ tableId, recordId, fieldId: filesField.id, edits }, files),
  );

  return (
    <PanelFrame label="Record" onClose={onBack ?? onClose}>
      <RecordBar
        onBack={onBack}
        place={place}
        onPrevious={neighbour(-1)}
        onNext={neighbour(1)}
        onDuplicate={
          allows(role, 'record|create')
            ? () => void actions.duplicate().then((copy) => copy !== undefined && onOpen(copy))
            : undefined
        }
        onTemplate={
          allows(role, 'view|update') && record !== undefined && !isGone ? () => setTemplating(true) : undefined
        }
        onDelete={
          allows(role, 'record|delete')
            ? () => void actions.remove().then((isGone) => isGone && (onBack ?? onClose)())
            : undefined
        }
        onWho={
          allows(role, 'base|authority_matrix_config') && record !== undefined && !isGone
            ? () => askWho({ tableId, recordId, name: record.name || 'this record' })
            : undefined
        }
        onClose={onClose}
      />
      {isTemplating && record !== undefined && (
        <Suspense fallback={null}>
          <TemplateDialog
            tableId={tableId}
            fields={ordered}
            people={people}
            from={record}
            onClose={() => setTemplating(false)}
          />
        </Suspense>
      )}
      <h2 className={classNames('truncate pt-1.5 pb-2 text-[20px] font-semibold tracking-tight', inset)}>
        {record?.name === undefined || record.name === '' ? 'Unnamed record' : record.name}
      </h2>
      {isGone && (
        <p role="alert" className={classNames('border-y border-line bg-warn-soft py-2 text-warn', inset)}>
          {record === undefined
            ? 'This record is not there any more, or is not for you to see. What was deleted'
            : 'This record was deleted. It'}{' '}
          can be restored from the history of the table, under “Deleted”.
        </p>
      )}
      {record === undefined ? (
        <div className="p-4">
          {loaded.error === null ? <Loading /> : isGone ? null : <ProblemNote error={loaded.error} />}
        </div>
      ) : (
        <Tabs.Root
          defaultValue={comment === undefined ? 'fields' : 'comments'}
          className="flex min-h-0 flex-1 flex-col"
        >
          <Tabs.List
            aria-label="Parts of the record"
            className={classNames('flex gap-5 border-b border-line pt-1', inset)}
          >
            <Tabs.Trigger value="fields" className={tabClass}>
              Fields
            </Tabs.Trigger>
            {!isGone && (
              <Tabs.Trigger value="comments" className={tabClass}>
                Comments
                {commentCount > 0 && (
                  <span className="ml-1.5 rounded-full bg-sunken px-1.5 text-[12px]">{` ${commentCount}`}</span>
                )}
              </Tabs.Trigger>
            )}
            {mayEdit && (
              <Tabs.Trigger value="history" className={tabClass}>
                History
              </Tabs.Trigger>
            )}
          </Tabs.List>
          <Tabs.Content
            value="fields"
            ref={isNew ? focusFirstInput : undefined}
            {...drop.handlers}
            className={classNames(
              'flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto py-4',
              inset,
              drop.isOver && 'bg-accent/5',
            )}
          >
            {[
              ...ordered.filter((field) => !isHidden(view, field)),
              ...ordered.filter((field) => isHidden(view, field)),
            ].map((field) => (
              <RecordField
                key={`${field.id} ${field.type}`}
                field={field}
                record={record}
                people={people}
                canEdit={mayEdit}
                tableId={tableId}
                edits={edits}
                onOpenLinked={onOpenLinked}
              />
            ))}
          </Tabs.Content>
          <Tabs.Content value="comments" className={classNames('min-h-0 flex-1 overflow-y-auto py-4', inset)}>
            <Suspense fallback={<Loading />}>
              <Comments
                tableId={tableId}
                recordId={recordId}
                role={role}
                scene={{ tableId, baseId, people, fields }}
                meant={comment}
                onOpenRecord={onOpen}
              />
            </Suspense>
          </Tabs.Content>
          <Tabs.Content value="history" className={classNames('min-h-0 flex-1 overflow-y-auto py-4', inset)}>
            <RecordHistory tableId={tableId} record={record} fields={fields} records={records} />
          </Tabs.Content>
        </Tabs.Root>
      )}
    </PanelFrame>
  );
};
