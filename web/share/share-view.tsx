// A shared view with its records, in the components of the app: loaded once it is known that there is one to be shown.
import { ViewColors } from '../field-type/cell/record-colors.tsx';
import { copyShare } from '@rowhouse/contract/share.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { ClipboardCopy, CopyPlus } from 'lucide-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { queryClient } from '../app/query-client.ts';
import { orderedFields } from '../record-data/columns.ts';
import { recordsKey } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/loading.tsx';
import { inputClass } from '../ui/text-field.tsx';
import { showProblem, showToast } from '../ui/toast.ts';
import { Toasts } from '../ui/toasts.tsx';
import { ask, type Share } from './ask.ts';
import { CopyDialog } from './copy-dialog.tsx';
import { ShareRecord } from './share-record.tsx';
import { sharedViews } from './shared-views.ts';
import { throughShare } from './through-share.ts';

const searchAfter = 250;

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
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState<string>();
  const [isCopying, setCopying] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), searchAfter);
    return () => clearTimeout(timer);
  }, [typed]);
  // A view that has changed shows other records, or the same ones elsewhere.
  useEffect(() => void queryClient.invalidateQueries({ queryKey: recordsKey(tableId) }), [tableId, changes, share]);
  const mayCopy = allowCopy === true && includeRecords === true;
  const copyAll = async (): Promise<void> => {
    try {
      const { content, header } = await ask(copyShare, {
        params: { shareId },
        query: { type: 'columns', ranges: '[[0,10000]]' },
      });
      await navigator.clipboard.writeText(`${header.map(({ name }) => name).join('\t')}\n${content}`);
      showToast({ kind: 'note', title: 'Copied: paste it into a spreadsheet or a table.' });
    } catch (error) {
      showProblem(error, 'Nothing was copied.');
    }
  };
  const shown = { tableId, view, fields, search, onOpen: setOpenId };
  const Shown = sharedViews[view.type];
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line bg-surface px-3 py-2 sm:px-4">
        <input
          type="search"
          aria-label="Search"
          placeholder="Search"
          maxLength={1_000}
          className={`${inputClass} min-w-32 flex-1 sm:max-w-64`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {mayCopy && (
          <Button icon={<ClipboardCopy size={15} />} onClick={() => void copyAll()}>
            Copy all
          </Button>
        )}
        {mayCopy && (
          <Button icon={<CopyPlus size={15} />} onClick={() => setCopying(true)}>
            Copy to my base
          </Button>
        )}
      </div>
      <Suspense fallback={<Loading what="Loading records" />}>
        <ViewColors view={view} fields={fields}>
          {Shown !== undefined && (
            <Shown
              {...shown}
              shareId={shareId}
              changes={changes}
              mayCopy={mayCopy}
              onAdd={undefined}
              onFiles={undefined}
            />
          )}
        </ViewColors>
      </Suspense>
      {openId !== undefined && (
        <ShareRecord
          tableId={tableId}
          recordId={openId}
          fields={orderedFields(fields, view)}
          onClose={() => setOpenId(undefined)}
        />
      )}
      {isCopying && <CopyDialog shareId={shareId} name={view.name} onClose={() => setCopying(false)} />}
      <Toasts />
    </QueryClientProvider>
  );
};
