// Records without a day, to be dragged onto one. Dropped here, a record loses its day.
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { call } from '../../app/call.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { cardName } from '../../field-type/cell/card-fields.tsx';
import { whichRecords } from '../../record-data/own-query.ts';
import { recordsKey } from '../../record-data/queries.ts';
import { useRecordDrop } from '../grid/use-record-drop.ts';

interface UndatedListProps {
  tableId: string;
  view: View;
  start: Field;
  mayMove: boolean;
  onOpen: (recordId: string) => void;
  onClear: (recordId: string) => void;
  onClose: () => void;
}

const pageSize = 100;

export const UndatedList = ({ tableId, view, start, mayMove, onOpen, onClear, onClose }: UndatedListProps) => {
  const { isOver, handlers } = useRecordDrop(mayMove ? onClear : undefined);
  const pages = useInfiniteQuery({
    queryKey: [...recordsKey(tableId), 'undated', view.id, view.filter, start.id],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(listRecords, {
          params: { tableId },
          query: {
            ...whichRecords(view.id, {
              conjunction: 'and',
              filterSet: [{ fieldId: start.id, operator: 'isEmpty', value: null }],
            }),
            fieldKeyType: 'id',
            skip: pageParam,
            take: pageSize,
            withGroups: false,
          },
          signal,
        })
      ).records,
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
  });
  const records = pages.data?.pages.flat() ?? [];
  return (
    <section
      aria-label={`Without ${start.name}`}
      {...handlers}
      className={classNames(
        'flex w-60 shrink-0 flex-col border-l border-line max-sm:absolute max-sm:inset-y-0 max-sm:right-0 max-sm:z-10 max-sm:shadow-float print:hidden',
        isOver ? 'bg-accent-soft' : 'bg-surface',
      )}
    >
      <div className="flex items-center gap-1 py-2 pr-1.5 pl-3">
        <h3 className="min-w-0 flex-1 truncate font-semibold">Without {start.name}</h3>
        <IconButton label="Close list" onClick={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      <ProblemNote error={pages.error} />
      {pages.isPending && <Loading />}
      {pages.isSuccess && records.length === 0 && <p className="px-3 text-ink-soft">Every record has a date.</p>}
      <ul className="flex min-h-0 flex-1 flex-col gap-1.5 overflow-y-auto px-2 pb-2">
        {records.map((record) => (
          <li key={record.id}>
            <button
              type="button"
              draggable={mayMove}
              onDragStart={(event) => event.dataTransfer.setData('text/plain', record.id)}
              onClick={() => onOpen(record.id)}
              className="block w-full truncate rounded-lg border border-line bg-surface px-2.5 py-1.5 text-left shadow-card hover:border-line-strong"
            >
              {cardName(record)}
            </button>
          </li>
        ))}
        {pages.hasNextPage && (
          <li>
            <Button
              size="small"
              className="w-full"
              busy={pages.isFetchingNextPage}
              onClick={() => void pages.fetchNextPage()}
            >
              Show more
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
};
