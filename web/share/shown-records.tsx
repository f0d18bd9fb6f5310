// The records of a view for visitors: what they search by, the view, and the record that they open.
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { ClipboardCopy } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { ViewColors } from '../field-type/cell/record-colors.tsx';
import { orderedFields } from '../record-data/columns.ts';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/loading.tsx';
import { inputClass } from '../ui/text-field.tsx';
import { showProblem, showToast } from '../ui/toast.ts';
import { ShareRecord } from './share-record.tsx';
import { sharedViews } from './shared-views.ts';

const searchAfter = 250;

interface ShownRecordsProps {
  shareId: string;
  isOfBase: boolean;
  tableId: string;
  view: View;
  fields: readonly Field[];
  changes: number;
  /** All cells as text; absent where visitors may not copy. */
  copy: (() => Promise<{ content: string; header: readonly { name: string }[] }>) | undefined;
  children?: ReactNode;
}

export const ShownRecords = ({
  shareId,
  isOfBase,
  tableId,
  view,
  fields,
  changes,
  copy,
  children,
}: ShownRecordsProps) => {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), searchAfter);
    return () => clearTimeout(timer);
  }, [typed]);
  const copyAll = async (): Promise<void> => {
    if (copy === undefined) return;
    try {
      const { content, header } = await copy();
      await navigator.clipboard.writeText(`${header.map(({ name }) => name).join('\t')}\n${content}`);
      showToast({ kind: 'note', title: 'Copied: paste it into a spreadsheet or a table.' });
    } catch (error) {
      showProblem(error, 'Nothing was copied.');
    }
  };
  const Shown = sharedViews[view.type];
  return (
    <>
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
        {copy !== undefined && (
          <Button icon={<ClipboardCopy size={15} />} onClick={() => void copyAll()}>
            Copy all
          </Button>
        )}
        {children}
      </div>
      <Suspense fallback={<Loading what="Loading records" />}>
        <ViewColors view={view} fields={fields}>
          {Shown !== undefined && (
            <Shown
              tableId={tableId}
              view={view}
              fields={fields}
              search={search}
              onOpen={setOpenId}
              shareId={shareId}
              isOfBase={isOfBase}
              changes={changes}
              mayCopy={copy !== undefined}
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
    </>
  );
};
