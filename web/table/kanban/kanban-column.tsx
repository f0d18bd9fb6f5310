import type { Field } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { getRowCount } from '@rowhouse/contract/aggregation.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { showProblem } from '../../ui/toast.ts';
import type { Choice } from '../cell/cell-text.ts';
import { Pill } from '../cell/pill.tsx';
import { recordsKey } from '../queries.ts';
import { useRecordDrop } from '../use-record-drop.ts';
import { KanbanCard } from './kanban-card.tsx';

export interface KanbanColumnProps {
  tableId: string;
  viewId: string;
  stack: Field;
  /** null: the records without a choice. */
  choice: Choice | null;
  choices: readonly Choice[];
  fields: readonly Field[];
  mayEdit: boolean;
  mayCreate: boolean;
  onMove: (recordId: string, choice: string | null) => Promise<void>;
  onOpen: (recordId: string) => void;
}

const pageSize = 50;

export const KanbanColumn = ({ tableId, viewId, stack, choice, choices, fields, mayEdit, mayCreate, onMove, onOpen }: KanbanColumnProps) => {
  const { isOver, handlers } = useRecordDrop(mayEdit ? (recordId) => void onMove(recordId, choice?.name ?? null) : undefined);
  const filter = JSON.stringify({ conjunction: 'and', filterSet: [choice === null ? { fieldId: stack.id, operator: 'isEmpty', value: null } : { fieldId: stack.id, operator: 'is', value: choice.name }] });
  const query = { viewId, filter, fieldKeyType: 'id' as const };
  const key = [...recordsKey(tableId), 'kanban', viewId, stack.id, choice?.name ?? null];
  const count = useQuery({ queryKey: [...key, 'count'], queryFn: ({ signal }) => call(getRowCount, { params: { tableId }, query, signal }) }).data?.rowCount;
  const pages = useInfiniteQuery({
    queryKey: [...key, 'cards'],
    queryFn: async ({ pageParam, signal }) => (await call(listRecords, { params: { tableId }, query: { ...query, skip: pageParam, take: pageSize, projection: fields.map((field) => field.id) }, signal })).records,
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
  });
  const title = choice?.name ?? `No ${stack.name}`;

  const add = async (): Promise<void> => {
    try {
      const { records } = await call(createRecords, { params: { tableId }, body: { records: [{ fields: choice === null ? {} : { [stack.id]: choice.name } }], fieldKeyType: 'id' } });
      await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
      if (records[0] !== undefined) onOpen(records[0].id);
    } catch (error) {
      showProblem(error, 'The record was not added.');
    }
  };

  return (
    <section
      aria-label={title}
      {...handlers}
      className={classNames('flex w-72 shrink-0 flex-col rounded-xl border bg-sunken', isOver ? 'border-accent' : 'border-transparent')}
    >
      <div className="flex items-center gap-2 py-2 pr-1.5 pl-3">
        <h3 className="min-w-0 truncate font-medium">{choice === null ? <span className="text-ink-soft">{title}</span> : <Pill text={choice.name} color={choice.color} />}</h3>
        <span className="flex-1 text-[13px] text-ink-soft">{count}</span>
        {mayCreate && (
          <IconButton label={`Add a record to ${title}`} onClick={() => void add()}>
            <Plus size={16} />
          </IconButton>
        )}
      </div>
      <ul className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto px-2 pb-2">
        {pages.data?.pages.flat().map((record) => (
          <KanbanCard key={record.id} record={record} fields={fields} choices={choices} own={choice?.name ?? null} mayEdit={mayEdit} onMove={onMove} onOpen={onOpen} />
        ))}
        {pages.hasNextPage && (
          <li>
            <Button size="small" className="w-full" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              Show more
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
};
