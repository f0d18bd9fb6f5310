// The linked records of a record as a small table: what they are called and a few of their cells. Each opens, and can be unlinked.
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { useQuery } from '@tanstack/react-query';
import { Plus, Replace, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { openStream } from '../app/stream.ts';
import { CellValue } from '../field-type/cell/cell-value.tsx';
import type { EditorProps } from '../field-type/editor/editor-props.ts';
import { detailFields } from '../field-type/link/detail-fields.ts';
import {
  cellOfLinks,
  leadsToSeveral,
  type Linked,
  linkOptionsOf,
  linksOf,
  linkTitle,
} from '../field-type/link/linked.ts';
import { RecordPicker } from '../field-type/link/record-picker.tsx';
import { atMostEvery } from '../record-data/live/at-most-every.ts';
import { fieldsQuery, recordsKey } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';

interface LinkedRecordsProps {
  /** The table of the record that is open. */
  tableId: string;
  field: Field;
  value: unknown;
  /** Undefined: it can only be read. */
  editor: EditorProps | undefined;
  onOpen: (tableId: string, recordId: string) => void;
}

/** Of a lookup through several links a record may come twice. */
const once = (links: readonly Linked[]): Linked[] => [
  ...new Map(links.map((link) => [link.id ?? `new ${link.title}`, link])).values(),
];

const shownFirst = 8;
/** A list may have thousands. */
const shownMore = 200;
/** Whose cells are shown beside their titles: an address has room for so many ids. */
const mostLoaded = 200;

/** Cells of the other table that change while they are on the screen. */
const useLiveTable = (tableId: string, isWanted: boolean): void => {
  useEffect(() => {
    if (!isWanted) return undefined;
    const soon = atMostEvery(400);
    const again = (): void => soon(() => void queryClient.invalidateQueries({ queryKey: recordsKey(tableId) }));
    const schema = (): void => void queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey });
    return openStream(`/api/table/${encodeURIComponent(tableId)}/events`, {
      on: { 'records.updated': again, 'records.deleted': again, 'schema.changed': schema },
      onGap: again,
    });
  }, [tableId, isWanted]);
};

export const LinkedRecords = ({ tableId, field, value, editor, onOpen }: LinkedRecordsProps) => {
  const options = linkOptionsOf(field);
  const several = leadsToSeveral(field);
  const links = once(linksOf(value));
  const [most, setMost] = useState(shownFirst);
  const [isPicking, setPicking] = useState(false);
  const shown = links.slice(0, most);
  const ids = shown.flatMap(({ id }) => id ?? []).slice(0, mostLoaded);
  const fields = useQuery(fieldsQuery(options.foreignTableId)).data ?? [];
  const details = detailFields(fields, options, 2);
  const loaded = useQuery({
    queryKey: [...recordsKey(options.foreignTableId), 'linked', ids, details.map(({ id }) => id)],
    queryFn: async ({ signal }) =>
      (
        await call(listRecords, {
          params: { tableId: options.foreignTableId },
          query: {
            fieldKeyType: 'id',
            selectedRecordIds: ids,
            take: ids.length,
            projection: details.map(({ id }) => id),
            withGroups: false,
          },
          signal,
        })
      ).records,
    enabled: ids.length > 0 && details.length > 0,
    placeholderData: (before) => before,
  }).data;
  useLiveTable(options.foreignTableId, ids.length > 0 && options.foreignTableId !== tableId);
  const unlink = (link: Linked): void =>
    editor?.onChange(
      cellOfLinks(
        linksOf(value).filter((other) => other.id !== link.id),
        several,
      ),
    );

  return (
    <div className="overflow-hidden rounded-lg border border-line-strong bg-surface">
      {links.length > 0 && (
        <table className="w-full table-fixed text-left">
          <caption className="sr-only">{field.name}</caption>
          <colgroup>
            <col />
            {details.map(({ id }) => (
              <col key={id} />
            ))}
            {editor !== undefined && <col className="w-9" />}
          </colgroup>
          <thead
            className={details.length === 0 ? 'sr-only' : 'border-b border-line bg-canvas text-[12px] text-ink-faint'}
          >
            <tr>
              <th scope="col" className="px-3 py-1.5 font-medium">
                {fields.find(({ isPrimary }) => isPrimary === true)?.name ?? 'Record'}
              </th>
              {details.map(({ id, name }) => (
                <th key={id} scope="col" className="truncate px-2 py-1.5 font-medium">
                  {name}
                </th>
              ))}
              {editor !== undefined && (
                <th scope="col" className="w-9">
                  <span className="sr-only">Unlink</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((link, at) => {
              const record = loaded?.find(({ id }) => id === link.id);
              return (
                <tr key={link.id ?? `new ${at}`} className="border-b border-line last:border-b-0">
                  <td className="px-3 py-1.5">
                    {link.id === undefined ? (
                      <span className="block truncate text-ink-soft">{linkTitle(link)}</span>
                    ) : (
                      <button
                        type="button"
                        className="block max-w-full truncate rounded text-left font-medium text-accent hover:underline"
                        onClick={() => onOpen(options.foreignTableId, link.id as string)}
                      >
                        {linkTitle(link)}
                      </button>
                    )}
                  </td>
                  {details.map((detail) => (
                    <td key={detail.id} className="truncate px-2 py-1.5 text-[13px]">
                      {record?.fields[detail.id] === undefined ? null : (
                        <CellValue field={detail} value={record.fields[detail.id]} />
                      )}
                    </td>
                  ))}
                  {editor !== undefined && (
                    <td className="pr-1">
                      <IconButton label={`Unlink ${linkTitle(link)}`} className="size-7!" onClick={() => unlink(link)}>
                        <X size={14} />
                      </IconButton>
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {links.length > shown.length && (
        <div className="flex items-center gap-2 px-1.5 py-1">
          <Button size="small" look="ghost" onClick={() => setMost(most === shownFirst ? shownMore : most + shownMore)}>
            {links.length <= (most === shownFirst ? shownMore : most + shownMore)
              ? `Show all ${links.length.toLocaleString('en')}`
              : `Show ${shownMore} more`}
          </Button>
          {links.length > shownMore && (
            <span className="text-[12px] text-ink-faint">
              and {(links.length - shown.length).toLocaleString('en')} more
            </span>
          )}
        </div>
      )}
      {links.length === 0 && editor === undefined && <p className="px-3 py-2 text-ink-faint">Empty</p>}
      {editor !== undefined && (
        <div className={links.length > 0 ? 'border-t border-line' : ''}>
          <Popover
            label={field.name}
            className="p-1"
            open={isPicking}
            onOpenChange={setPicking}
            trigger={
              <Button
                look="ghost"
                size="small"
                className="m-1"
                icon={several || links.length === 0 ? <Plus size={15} /> : <Replace size={14} />}
              >
                {several || links.length === 0 ? 'Link a record' : 'Link another instead'}
              </Button>
            }
          >
            <RecordPicker
              label={field.name}
              field={field}
              recordId={editor.recordId}
              linked={linksOf(value)}
              autoFocus
              onLinked={(next) => {
                editor.onChange(cellOfLinks(next, several));
                if (!several) setPicking(false);
              }}
            />
          </Popover>
        </div>
      )}
    </div>
  );
};
