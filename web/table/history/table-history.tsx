// What happened in the table, latest first, with a way back.
import type { Field } from '@rowhouse/contract/field.ts';
import { type HistoryEntry, listTableHistory } from '@rowhouse/contract/history.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { History, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { PanelFrame, tabClass } from '../../record/panel-frame.tsx';
import { HistoryItem } from '../../record/history-item.tsx';
import { useRestore } from '../../record/use-restore.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { recordsKey } from '../../record-data/queries.ts';
import type { TableRecords } from '../../record-data/table-records.ts';
import { byOperation } from './by-operation.ts';
import { Deleted, type DeletedRights } from './deleted.tsx';
import { HistoryFilterForm } from './history-filter.tsx';
import { everything, historyQuery } from './history-query.ts';
import { OperationItem } from './operation-item.tsx';

interface TableHistoryProps {
  tableId: string;
  fields: readonly Field[];
  people: readonly BasePerson[];
  records: TableRecords;
  may: DeletedRights;
  onClose: () => void;
  onOpen: (recordId: string) => void;
}

interface Shown {
  entry: HistoryEntry;
  author: string;
  picture: string | null | undefined;
  /** What the record is called; deleted ones have no name. */
  record: string | undefined;
}

/** A page of the history, and what the records in it are called now; deleted ones have no name. */
const loadPage = async (
  tableId: string,
  query: ReturnType<typeof historyQuery>,
  cursor: string | null,
  primary: Field | undefined,
  signal: AbortSignal,
) => {
  const page = await call(listTableHistory, {
    params: { tableId },
    query: { ...query, ...(cursor === null ? {} : { cursor }) },
    signal,
  });
  const ids = [...new Set(page.historyList.map(({ recordId }) => recordId))];
  const found =
    ids.length === 0
      ? []
      : (
          await call(listRecords, {
            params: { tableId },
            query: {
              fieldKeyType: 'id',
              selectedRecordIds: ids,
              take: ids.length,
              ...(primary === undefined ? {} : { projection: [primary.id] }),
            },
            signal,
          })
        ).records;
  return {
    ...page,
    names: new Map(found.map(({ id, name }) => [id, name === undefined || name === '' ? 'Unnamed record' : name])),
  };
};

export const TableHistory = ({ tableId, fields, people, records, may, onClose, onOpen }: TableHistoryProps) => {
  const [filter, setFilter] = useState(everything);
  const { restore, restoreOperation, restoring, dialog } = useRestore(tableId, records);
  const primary = fields.find(({ isPrimary }) => isPrimary === true);
  const history = useInfiniteQuery({
    queryKey: [...recordsKey(tableId), 'table-history', filter],
    queryFn: ({ pageParam, signal }) => loadPage(tableId, historyQuery(filter), pageParam, primary, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (before) => before,
  });
  const entries =
    history.data?.pages.flatMap((page) =>
      page.historyList.map((entry) => ({
        entry,
        author: page.userMap[entry.createdBy]?.name ?? 'Someone',
        picture: page.userMap[entry.createdBy]?.avatar,
        record: page.names.get(entry.recordId),
      })),
    ) ?? [];

  const runs = byOperation(entries);
  const item = ({ entry, author, picture, record }: Shown) => (
    <HistoryItem
      key={entry.id}
      entry={entry}
      author={author}
      picture={picture}
      field={fields.find((field) => field.id === entry.fieldId)}
      about={
        record === undefined ? (
          <span className="text-ink-faint">of a deleted record</span>
        ) : (
          <>
            <span className="text-ink-soft">of</span>{' '}
            <button
              type="button"
              className="text-left font-medium break-words text-accent hover:underline"
              onClick={() => onOpen(entry.recordId)}
            >
              {record}
            </button>
          </>
        )
      }
      busy={restoring === entry.id}
      onRestore={may.restoreRecords && record !== undefined ? () => void restore(entry) : undefined}
    />
  );

  return (
    <PanelFrame label="History of the table" onClose={onClose}>
      <div className="flex items-center gap-1 px-4 pt-2.5">
        <h2 className="min-w-0 flex-1 truncate text-[20px] font-semibold tracking-tight">History</h2>
        <IconButton label="Close history" onClick={onClose}>
          <X size={17} />
        </IconButton>
      </div>
      <Tabs.Root defaultValue="changes" className="flex min-h-0 flex-1 flex-col">
        <Tabs.List aria-label="Parts of the history" className="flex gap-5 border-b border-line px-4 pt-1">
          <Tabs.Trigger value="changes" className={tabClass}>
            Changes
          </Tabs.Trigger>
          <Tabs.Trigger value="deleted" className={tabClass}>
            Deleted
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="changes" className="flex min-h-0 flex-1 flex-col">
          <HistoryFilterForm filter={filter} fields={fields} people={people} onChange={setFilter} />
          <div
            tabIndex={0}
            role="region"
            aria-label="Changes"
            className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 outline-offset-[-2px]"
          >
            <ProblemNote error={history.error} />
            {history.isPending && <Loading />}
            {!history.isPending && entries.length === 0 && (
              <EmptyState
                icon={<History size={20} />}
                title={filter === everything ? 'No changes yet' : 'No matching changes'}
              >
                {filter === everything
                  ? 'Changes to cells appear here, and you can restore earlier values.'
                  : 'Try another person, field or time.'}
              </EmptyState>
            )}
            <ol className="flex flex-col">
              {runs.map((run, index) => {
                const { entry, author, picture } = run[0] as Shown;
                const { operationId } = entry;
                if (run.length === 1 || operationId === undefined) return item(run[0] as Shown);
                return (
                  <OperationItem
                    key={entry.id}
                    entries={run.map((one) => one.entry)}
                    author={author}
                    picture={picture}
                    isOpenEnded={index === runs.length - 1 && history.hasNextPage}
                    busy={restoring === operationId}
                    onRestore={may.restoreRecords ? () => void restoreOperation(operationId) : undefined}
                  >
                    {run.map(item)}
                  </OperationItem>
                );
              })}
            </ol>
            {history.hasNextPage && (
              <Button
                className="self-center"
                busy={history.isFetchingNextPage}
                onClick={() => void history.fetchNextPage()}
              >
                Show older changes
              </Button>
            )}
          </div>
        </Tabs.Content>
        <Tabs.Content value="deleted" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
          <Deleted tableId={tableId} records={records} may={may} />
        </Tabs.Content>
      </Tabs.Root>
      {dialog}
    </PanelFrame>
  );
};
