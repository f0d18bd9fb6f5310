// The table of a shared base that is open, in one of its views, as it changes.
import { kindOf } from '@rowhouse/contract/field.ts';
import { copyRanges } from '@rowhouse/contract/selection.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { fieldsQuery, recordsKey, viewsQuery } from '../../record-data/queries.ts';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ShownRecords } from '../shown-records.tsx';
import { useLive } from '../use-live.ts';

interface BaseTableProps {
  shareId: string;
  tableId: string;
  description: string | undefined;
  view: View | undefined;
  mayCopy: boolean;
  reload: () => Promise<void>;
}

/** A stream cannot send the header. */
const eventsOf = (tableId: string, shareId: string): string =>
  `/api/table/${encodeURIComponent(tableId)}/events?baseShare=${encodeURIComponent(shareId)}`;

export const BaseTable = ({ shareId, tableId, description, view, mayCopy, reload }: BaseTableProps) => {
  const fields = useQuery(fieldsQuery(tableId));
  const views = useQuery(viewsQuery(tableId));
  const showsFiles = fields.data?.some((field) => kindOf(field) === 'file') === true;
  const latest = useRef(reload);
  latest.current = reload;
  const again = useRef(() => latest.current());
  const changes = useLive(eventsOf(tableId, shareId), showsFiles, again.current);
  useEffect(() => void queryClient.invalidateQueries({ queryKey: recordsKey(tableId) }), [tableId, changes]);
  const about = view?.description ?? description;
  if (fields.data === undefined || views.data === undefined)
    return (
      <div className="p-4">
        <ProblemNote error={fields.error ?? views.error} />
        {fields.error === null && views.error === null && <Loading />}
      </div>
    );
  return (
    <>
      {about !== undefined && about !== '' && (
        <p className="max-h-20 overflow-y-auto bg-surface px-3 pb-1 whitespace-pre-line text-ink-soft sm:px-4">
          {about}
        </p>
      )}
      {view === undefined ? (
        <p className="p-6 text-ink-soft">This table has no view that shows records.</p>
      ) : (
        <ShownRecords
          key={view.id}
          shareId={shareId}
          isOfBase
          tableId={tableId}
          view={view}
          fields={fields.data}
          changes={changes}
          copy={
            mayCopy
              ? () =>
                  call(copyRanges, {
                    params: { tableId },
                    query: { viewId: view.id, type: 'columns', ranges: '[[0,10000]]' },
                  })
              : undefined
          }
        />
      )}
    </>
  );
};
