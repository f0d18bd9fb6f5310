import { ViewColors } from '../field-type/cell/record-colors.tsx';
import type { Field } from '@rowhouse/contract/field.ts';
import { useMayChangeView } from '../record-data/use-may-change-view.ts';
import { recordsProps } from './skip-link.tsx';
import { allows, type Standing } from '../app/standing.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { askPosition } from '../app/early.ts';
import { ErrorPage } from '../app/error-page.tsx';
import { queryClient } from '../app/query-client.ts';
import { fromHere } from '../app/from-here.ts';
import { noteTable } from '../home/favourites.ts';
import { RecordPanel } from '../record/record-panel.tsx';
import { popped, pushed, readStack } from '../record/record-stack.ts';
import { StackedPanel } from '../record/stacked-panel.tsx';
import { Loading } from '../ui/loading.tsx';
import { TableHistory } from './history/table-history.tsx';
import { cellText } from '../field-type/cell-text.ts';
import { orderedFields } from '../record-data/columns.ts';
import { addFiles, takesFiles } from '../field-type/attachment/uploads.ts';
import { PressPlace } from '../field-type/cell/press.ts';
import { chosenView } from '../record-data/first-questions.ts';
import { baseQuery, fieldsQuery, peopleQuery, tablesQuery, viewsQuery } from '../record-data/queries.ts';
import { OwnQueryBar } from '../view-type/query/own-query-bar.tsx';
import type { Found } from '../view-type/query/search-box.tsx';
import { useViewQuery } from '../view-type/query/use-view-query.ts';
import { useAddRecord } from '../record-data/use-add-record.ts';
import { useUndoKeys } from '../record-data/undo/use-undo-keys.ts';
import type { TableRecords } from '../record-data/table-records.ts';
import { useTableRecords } from '../record-data/use-table-records.ts';
import { useStandingInTable, useWritableFields } from '../record-data/standing-in-table.ts';
import { coverOf } from '../view-type/card/card-cover.tsx';
import { viewTypes } from '../view-type/view-types.ts';
import { ViewBar } from './view-bar.tsx';

const noPeople: never[] = [];
const noFields: never[] = [];

export const TablePage = () => {
  const { baseId, tableId } = useParams({ from: '/signed-in/base/$baseId/$tableId' });
  const search = useSearch({ from: '/signed-in/base/$baseId/$tableId' });
  const views = useQuery(viewsQuery(tableId));
  // Beside the views, which are needed first anyway: records that were read before the stream has begun would have to be read again.
  const beginning = useQuery({
    queryKey: ['position', tableId],
    queryFn: () => askPosition(tableId, queryClient.ensureQueryData(viewsQuery(tableId)), 300).then(() => true),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const view = chosenView(views.data ?? [], search.view);
  const viewId = view?.id;
  useEffect(() => {
    if (viewId !== undefined) noteTable(baseId, tableId, viewId);
  }, [baseId, tableId, viewId]);
  const problem = views.error;
  if (problem !== null && views.data === undefined) return <ErrorPage error={problem} />;
  if (view === undefined || beginning.isPending) return <Loading />;
  return (
    <LoadedTable key={`${tableId} ${view.id}`} baseId={baseId} tableId={tableId} view={view} views={views.data ?? []} />
  );
};

interface TableViewProps {
  baseId: string;
  tableId: string;
  view: View;
  views: readonly View[];
}

/** Records are asked for before it is known how to show them. */
const LoadedTable = (props: TableViewProps) => {
  const base = useQuery(baseQuery(props.baseId)).data;
  const fields = useQuery(fieldsQuery(props.tableId));
  const allowed = useStandingInTable(base, props.tableId);
  const shown = useWritableFields(fields.data ?? noFields, allowed?.rights);
  const records = useTableRecords(props.tableId, props.view, shown, cellText);
  const { stack } = useSearch({ from: '/signed-in/base/$baseId/$tableId' });
  const top = readStack(stack).at(-1);
  useUndoKeys(records.undo, { isCovered: top !== undefined && top.tableId !== props.tableId });
  if (fields.error !== null && fields.data === undefined) return <ErrorPage error={fields.error} />;
  if (fields.data === undefined || allowed === undefined) return <Loading />;
  return (
    <PressPlace value={props.tableId}>
      <TableView {...props} role={allowed.standing} fields={shown} records={records} />
    </PressPlace>
  );
};

const TableView = ({
  baseId,
  tableId,
  view,
  views,
  role,
  fields,
  records,
}: TableViewProps & { role: Standing; fields: readonly Field[]; records: TableRecords }) => {
  const { View: ShownView, addsRecords } = viewTypes[view.type];
  const navigate = useNavigate({ from: '/base/$baseId/$tableId' });
  const { record: openId, stack, comment } = useSearch({ from: '/signed-in/base/$baseId/$tableId' });
  const people = useQuery(peopleQuery(baseId)).data?.users ?? noPeople;
  const [place, setPlace] = useState<Found>();
  const [search, setSearch] = useState('');
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [added, setAdded] = useState<string>();
  const mayChangeView = useMayChangeView(view, role);
  const query = useViewQuery(tableId, view, records.window, mayChangeView);
  const addRecord = useAddRecord({ tableId, view, fields, people, records });
  const open = (record: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, record, stack: undefined, comment: undefined }), replace: true });
  const top = readStack(stack).at(-1);
  const ownName = useQuery(tablesQuery(baseId)).data?.find(({ id }) => id === tableId)?.name;
  const openLinked = (linkedTableId: string, recordId: string): void =>
    void navigate({
      search: (before) => ({ ...before, stack: pushed(before.stack, { tableId: linkedTableId, recordId }) }),
    });
  const back = (): void =>
    void navigate({ search: (before) => ({ ...before, stack: popped(before.stack) }), replace: true });
  const add =
    addsRecords && allows(role, 'record|create')
      ? async (ofTemplate?: Record<string, unknown>): Promise<void> => {
          const leadOn = fromHere();
          const recordId = await addRecord({}, ofTemplate);
          if (recordId === undefined) return;
          setAdded(recordId);
          await leadOn(() => open(recordId));
        }
      : undefined;

  // On a card: the field of its cover, or the first that takes files.
  const filesField = allows(role, 'record|update')
    ? [coverOf(view, fields).picture, ...orderedFields(fields, view)].find(takesFiles)
    : undefined;
  const onFiles =
    filesField === undefined
      ? undefined
      : (recordId: string, files: File[]): void =>
          void addFiles({ tableId, recordId, fieldId: filesField.id, edits: records.edits }, files);

  return (
    <main className="flex min-h-0 flex-1 flex-col bg-surface">
      <ViewBar
        tableId={tableId}
        views={views}
        view={view}
        fields={fields}
        role={role}
        people={people}
        records={records}
        query={query}
        isHistoryOpen={isHistoryOpen}
        onGo={setPlace}
        onHistory={() => setHistoryOpen(!isHistoryOpen)}
        search={search}
        onSearch={setSearch}
        onAdd={add}
      />
      <OwnQueryBar query={query} mayChange={mayChangeView} />
      <div className="relative flex min-h-0 flex-1" {...recordsProps}>
        <ViewColors view={view} fields={fields}>
          <ShownView
            tableId={tableId}
            view={view}
            fields={fields}
            people={people}
            role={role}
            records={records}
            query={query}
            search={search}
            place={place}
            onAdd={add === undefined ? undefined : () => add()}
            onOpen={open}
            onOpenLinked={openLinked}
            onFiles={onFiles}
          />
        </ViewColors>
        {isHistoryOpen && (
          <TableHistory
            tableId={tableId}
            fields={fields}
            people={people}
            records={records}
            may={{
              restoreRecords: allows(role, 'record|update'),
              restoreFields: allows(role, 'field|create'),
              restoreViews: allows(role, 'view|create'),
              empty: allows(role, 'table|trash_reset'),
            }}
            onClose={() => setHistoryOpen(false)}
            onOpen={open}
          />
        )}
        {top !== undefined && top.tableId !== tableId ? (
          <StackedPanel
            key={`${top.tableId} ${top.recordId}`}
            baseId={baseId}
            {...top}
            people={people}
            onBack={back}
            onClose={() => open(undefined)}
            onOpenLinked={openLinked}
          />
        ) : top !== undefined ? (
          <RecordPanel
            key={top.recordId}
            baseId={baseId}
            tableId={tableId}
            recordId={top.recordId}
            view={view}
            fields={fields}
            people={people}
            role={role}
            records={records}
            place={ownName}
            onBack={back}
            onClose={() => open(undefined)}
            onOpen={(recordId) => openLinked(tableId, recordId)}
            onOpenLinked={openLinked}
          />
        ) : (
          openId !== undefined && (
            <RecordPanel
              key={openId}
              baseId={baseId}
              comment={comment}
              isNew={openId === added}
              tableId={tableId}
              recordId={openId}
              view={view}
              fields={fields}
              people={people}
              role={role}
              records={records}
              onClose={() => open(undefined)}
              onOpen={open}
              onOpenLinked={openLinked}
            />
          )
        )}
      </div>
    </main>
  );
};
