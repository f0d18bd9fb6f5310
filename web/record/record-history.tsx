import type { Field } from '@rowhouse/contract/field.ts';
import { listRecordHistory } from '@rowhouse/contract/history.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { call } from '../app/call.ts';
import { recordsKey } from '../record-data/queries.ts';
import type { TableRecords } from '../record-data/table-records.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { HistoryItem } from './history-item.tsx';
import { useRestore } from './use-restore.tsx';

interface RecordHistoryProps {
  tableId: string;
  record: RecordVo;
  fields: readonly Field[];
  records: TableRecords;
}

/** What happened to the record, latest first. */
export const RecordHistory = ({ tableId, record, fields, records }: RecordHistoryProps) => {
  const history = useInfiniteQuery({
    queryKey: [...recordsKey(tableId), 'history', record.id],
    queryFn: ({ pageParam, signal }) =>
      call(listRecordHistory, {
        params: { tableId, recordId: record.id },
        query: { includeCreated: true, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (before) => before,
  });
  const { restore, restoring, dialog } = useRestore(tableId, records);
  const entries =
    history.data?.pages.flatMap((page) =>
      page.historyList.map((entry) => ({ entry, author: page.userMap[entry.createdBy] })),
    ) ?? [];

  const isCut = history.data?.pages.at(-1)?.creationKnown === false;

  if (history.isPending) return <Loading />;
  return (
    <div className="flex flex-col gap-4">
      <ProblemNote error={history.error} />
      {entries.length === 0 && !isCut && (
        <EmptyState icon={<History size={20} />} title="No changes yet">
          Changes to cells appear here, and you can restore earlier values.
        </EmptyState>
      )}
      <ol className="flex flex-col">
        {entries.map(({ entry, author }) => (
          <HistoryItem
            key={entry.id}
            entry={entry}
            author={author?.name ?? 'Someone'}
            picture={author?.avatar}
            field={fields.find((field) => field.id === entry.fieldId)}
            busy={restoring === entry.id}
            onRestore={() => void restore(entry)}
          />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button className="self-center" busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          Show older changes
        </Button>
      )}
      {isCut && (
        <p className="text-center text-[13px] text-ink-soft">
          Older changes are no longer available: the history of this space does not go back that far.
        </p>
      )}
      {dialog}
    </div>
  );
};
