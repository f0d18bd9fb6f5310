// The records behind a bar, a slice, a number: beside the dashboard, each to be opened from there.
import { getRowCount } from '@rowhouse/contract/aggregation.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Filter, X } from 'lucide-react';
import { call } from '../app/call.ts';
import { orderedFields } from '../record-data/columns.ts';
import { fieldsQuery, recordsKey, viewsQuery } from '../record-data/queries.ts';
import { PanelFrame } from '../record/panel-frame.tsx';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { counted } from '../ui/toast.ts';
import type { PickedRecords } from './picked.ts';
import { RecordList } from './record-list.tsx';

const pageSize = 100;
const mostFields = 8;

interface RecordsPanelProps {
  title: string;
  picked: PickedRecords;
  onOpen: (tableId: string, recordId: string) => void;
  /** Shows only these in all charts. Absent where it would mean nothing. */
  onFilter: (() => void) | undefined;
  onClose: () => void;
}

export const RecordsPanel = ({ title, picked, onOpen, onFilter, onClose }: RecordsPanelProps) => {
  const { tableId, viewId, filter, label } = picked;
  const fields = useQuery(fieldsQuery(tableId));
  const views = useQuery(viewsQuery(tableId)).data ?? [];
  const view = views.find(({ id }) => id === viewId) ?? views[0];
  const which = {
    ...(viewId === undefined ? { ignoreViewQuery: true } : { viewId }),
    ...(filter === null ? {} : { filter: JSON.stringify(filter) }),
  };
  const key = [...recordsKey(tableId), 'behind', which];
  const count = useQuery({
    queryKey: [...key, 'count'],
    queryFn: ({ signal }) => call(getRowCount, { params: { tableId }, query: which as never, signal }),
  }).data?.rowCount;
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      call(listRecords, {
        params: { tableId },
        query: { ...which, fieldKeyType: 'id', withGroups: false, take: pageSize, skip: pageParam } as never,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.records.length < pageSize ? undefined : all.length * pageSize),
  });
  const records = pages.data?.pages.flatMap((page) => page.records) ?? [];
  const shown =
    fields.data === undefined || view === undefined
      ? (fields.data ?? []).slice(0, mostFields)
      : orderedFields(fields.data, view).slice(0, mostFields);
  const error = pages.error ?? fields.error;
  return (
    <PanelFrame label={`Records of ${title}`} onClose={onClose}>
      <div className="flex items-start gap-2 border-b border-line px-4 py-3">
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold">{label === '' ? title : label}</h2>
          <p className="truncate text-[13px] text-ink-soft">
            {label === '' ? '' : `${title} · `}
            {count === undefined ? '…' : counted(count, 'record')}
          </p>
        </div>
        {onFilter !== undefined && (
          <Button size="small" icon={<Filter size={14} />} onClick={onFilter}>
            Filter all charts
          </Button>
        )}
        <IconButton label="Close" onClick={onClose}>
          <X size={18} />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-auto p-2">
        {error !== null && <ProblemNote error={error} />}
        {error === null && (pages.isPending || fields.isPending) && <Loading />}
        {pages.data !== undefined && records.length === 0 && <p className="p-3 text-ink-soft">No records.</p>}
        {records.length > 0 && (
          <RecordList
            label="Records"
            fields={shown}
            records={records}
            onOpen={(recordId) => onOpen(tableId, recordId)}
          />
        )}
        {pages.hasNextPage && (
          <Button
            className="m-2"
            size="small"
            busy={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </Button>
        )}
      </div>
    </PanelFrame>
  );
};
