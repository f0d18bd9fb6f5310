// A shared view with its records, in the components of the app: loaded once it is known that there is one to be shown.
import { copyShare } from '@rowhouse/contract/share.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { CopyPlus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { queryClient } from '../app/query-client.ts';
import { recordsKey } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { ask, type Share } from './ask.ts';
import { CopyDialog } from './copy-dialog.tsx';
import { ShownRecords } from './shown-records.tsx';
import { throughShare } from './through-share.ts';

/** As the share shows it: with the fields that the view hides, if the share says so. */
const shownView = ({ view, fields, shareMeta: { includeHiddenField } }: Share): View =>
  includeHiddenField === true
    ? {
        ...view,
        columnMeta: Object.fromEntries(
          fields.map(({ id }) => [
            id,
            { order: Number.MAX_SAFE_INTEGER, ...view.columnMeta[id], hidden: false, visible: true },
          ]),
        ),
      }
    : view;

export const ShareView = ({ share, changes }: { share: Share; changes: number }) => {
  const {
    shareId,
    tableId,
    fields,
    shareMeta: { allowCopy, includeRecords },
  } = share;
  const view = useMemo(() => shownView(share), [share]);
  throughShare(shareId, tableId);
  const [isCopying, setCopying] = useState(false);
  // A view that has changed shows other records, or the same ones elsewhere.
  useEffect(() => void queryClient.invalidateQueries({ queryKey: recordsKey(tableId) }), [tableId, changes, share]);
  const mayCopy = allowCopy === true && includeRecords === true;
  return (
    <QueryClientProvider client={queryClient}>
      <ShownRecords
        shareId={shareId}
        isOfBase={false}
        tableId={tableId}
        view={view}
        fields={fields}
        changes={changes}
        copy={
          mayCopy
            ? () => ask(copyShare, { params: { shareId }, query: { type: 'columns', ranges: '[[0,10000]]' } })
            : undefined
        }
      >
        {mayCopy && (
          <Button icon={<CopyPlus size={15} />} onClick={() => setCopying(true)}>
            Copy to my base
          </Button>
        )}
      </ShownRecords>
      {isCopying && <CopyDialog shareId={shareId} name={view.name} onClose={() => setCopying(false)} />}
      <Toasts />
    </QueryClientProvider>
  );
};
