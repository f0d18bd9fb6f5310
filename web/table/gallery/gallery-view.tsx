// Records as cards; more are loaded as one comes near the end.
import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { LayoutGrid, Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { showProblem } from '../../ui/toast.ts';
import { isHidden, orderedFields } from '../columns.ts';
import { recordsKey } from '../queries.ts';
import { GalleryCard } from './gallery-card.tsx';

export interface GalleryViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  role: Role;
  onOpen: (recordId: string) => void;
}

const pageSize = 60;

export const GalleryView = ({ tableId, view, fields, role, onOpen }: GalleryViewProps) => {
  const end = useRef<HTMLDivElement>(null);
  const shown = orderedFields(fields, view).filter((field) => !isHidden(view, field));
  const pages = useInfiniteQuery({
    queryKey: [...recordsKey(tableId), 'gallery', view.id, view.filter, view.sort, shown.map(({ id }) => id)],
    queryFn: async ({ pageParam, signal }) => (await call(listRecords, { params: { tableId }, query: { viewId: view.id, fieldKeyType: 'id', skip: pageParam, take: pageSize, projection: shown.map(({ id }) => id), withGroups: false }, signal })).records,
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
    placeholderData: (before) => before,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    if (end.current === null || !hasNextPage || isFetchingNextPage) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void fetchNextPage(), { rootMargin: '600px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const add = async (): Promise<void> => {
    try {
      const { records } = await call(createRecords, { params: { tableId }, body: { records: [{ fields: {} }], fieldKeyType: 'id' } });
      await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
      if (records[0] !== undefined) onOpen(records[0].id);
    } catch (error) {
      showProblem(error, 'The record was not added.');
    }
  };
  const addButton = allows(role, 'record|create') && (
    <Button size="small" icon={<Plus size={15} />} onClick={() => void add()}>
      Add a record
    </Button>
  );
  const records = pages.data?.pages.flat() ?? [];
  if (pages.isPending) return <Loading what="Loading records" />;
  return (
    <div tabIndex={0} role="region" aria-label="Gallery" className="min-h-0 min-w-0 flex-1 overflow-y-auto bg-canvas p-3 outline-offset-[-2px] sm:p-4">
      <ProblemNote error={pages.error} />
      {records.length === 0 ? (
        <div className="mx-auto max-w-lg py-8">
          <EmptyState icon={<LayoutGrid size={20} />} title="No records" action={addButton}>
            Every record is a card here.
          </EmptyState>
        </div>
      ) : (
        <>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-3">
            {records.map((record) => (
              <GalleryCard key={record.id} record={record} fields={shown} onOpen={onOpen} />
            ))}
          </ul>
          <div ref={end} className="flex justify-center py-4">
            {hasNextPage ? (
              <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show more
              </Button>
            ) : (
              addButton
            )}
          </div>
        </>
      )}
    </div>
  );
};
