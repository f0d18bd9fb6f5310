// Records as cards; more are loaded as one comes near the end.
import { useColors } from '../../field-type/cell/record-colors.tsx';
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { LayoutGrid, Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { call } from '../../app/call.ts';
import { inParts } from '../../app/in-parts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { isHidden, orderedFields } from '../../record-data/columns.ts';
import { orderOf, whichRecords } from '../../record-data/own-query.ts';
import { recordsKey } from '../../record-data/queries.ts';
import { coverOf, fieldsOfCard } from '../card/card-cover.tsx';
import { GalleryCard } from './gallery-card.tsx';

interface GalleryViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  search: string;
  /** Absent: nobody may. */
  onAdd: (() => void) | undefined;
  onOpen: (recordId: string) => void;
  onFiles: ((recordId: string, files: File[]) => void) | undefined;
}

const pageSize = 60;

export const GalleryView = ({ tableId, view, fields, search, onAdd, onOpen, onFiles }: GalleryViewProps) => {
  const end = useRef<HTMLDivElement>(null);
  const shown = orderedFields(fields, view).filter((field) => !isHidden(view, field));
  const cover = coverOf(view, fields);
  const projection = fieldsOfCard(shown, cover, useColors().fieldIds);
  const pages = useInfiniteQuery({
    queryKey: [...recordsKey(tableId), 'gallery', view.id, view.filter, view.sort, projection, search],
    queryFn: ({ pageParam, signal }) =>
      inParts(pageParam, pageSize, async (skip, take) => {
        const query = {
          ...whichRecords(view.id),
          ...orderOf(view.id),
          fieldKeyType: 'id' as const,
          skip,
          take,
          projection,
          withGroups: false,
          ...(search === '' ? {} : { search: [search, '', 'true'] }),
        };
        return (await call(listRecords, { params: { tableId }, query, signal })).records;
      }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
    placeholderData: (before) => before,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    if (end.current === null || !hasNextPage || isFetchingNextPage) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void fetchNextPage(), {
      rootMargin: '600px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const records = pages.data?.pages.flat() ?? [];
  if (pages.isPending) return <Loading what="Loading records" />;
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Gallery"
      className="min-h-0 min-w-0 flex-1 overflow-y-auto bg-canvas p-3 outline-offset-[-2px] sm:p-4 print:overflow-visible"
    >
      <ProblemNote error={pages.error} />
      {records.length === 0 ? (
        <div className="mx-auto max-w-lg py-8">
          {search === '' ? (
            <EmptyState
              icon={<LayoutGrid size={20} />}
              title="No records yet"
              action={
                onAdd !== undefined && (
                  <Button icon={<Plus size={15} />} onClick={onAdd}>
                    Add a record
                  </Button>
                )
              }
            >
              Records appear here as cards.
            </EmptyState>
          ) : (
            <EmptyState icon={<LayoutGrid size={20} />} title="Nothing found">
              No record of this view contains “{search}”.
            </EmptyState>
          )}
        </div>
      ) : (
        <>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-3">
            {records.map((record) => (
              <GalleryCard
                key={record.id}
                record={record}
                fields={shown}
                cover={cover}
                hasNames={view.options['isFieldNameHidden'] !== true}
                onOpen={onOpen}
                onFiles={onFiles}
              />
            ))}
          </ul>
          <div ref={end} className="flex justify-center py-4">
            {hasNextPage && (
              <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show more
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  );
};
