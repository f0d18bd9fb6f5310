// One record of a share, with all that the share shows of it.
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { cardName } from '../field-type/cell/card-fields.tsx';
import { filesOf, pathOf } from '../field-type/cell/cell-parts.ts';
import { shownCell } from '../field-type/cell-text.ts';
import { CellValue } from '../field-type/cell/cell-value.tsx';
import { recordsKey } from '../record-data/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

const Files = ({ value }: { value: unknown }) => (
  <span className="flex flex-wrap gap-2">
    {filesOf(value).map(({ id, name, presignedUrl, lgThumbnailUrl }) => (
      <a
        key={id}
        href={presignedUrl === undefined ? undefined : pathOf(presignedUrl)}
        target="_blank"
        rel="noopener noreferrer"
        className="text-accent underline"
      >
        {lgThumbnailUrl === undefined ? (
          name
        ) : (
          <img src={pathOf(lgThumbnailUrl)} alt={name} className="h-28 rounded-lg border border-line object-cover" />
        )}
      </a>
    ))}
  </span>
);

interface ShareRecordProps {
  tableId: string;
  recordId: string;
  fields: readonly Field[];
  onClose: () => void;
}

export const ShareRecord = ({ tableId, recordId, fields, onClose }: ShareRecordProps) => {
  const { data, error, isPending } = useQuery({
    queryKey: [...recordsKey(tableId), 'one', recordId],
    queryFn: async ({ signal }) =>
      (
        await call(listRecords, {
          params: { tableId },
          query: { fieldKeyType: 'id', selectedRecordIds: [recordId], take: 1 },
          signal,
        })
      ).records[0] ?? null,
  });
  return (
    <Dialog open wide onClose={onClose} title={data == null ? 'Record' : cardName(data)}>
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data === null && (
        <p role="status" className="text-ink-soft">
          This record is not shown here any more.
        </p>
      )}
      {data != null && (
        <dl className="flex flex-col gap-3">
          {fields
            .filter(({ isPrimary }) => isPrimary !== true)
            .map((field) => (
              <div key={field.id}>
                <dt className="text-[12px] text-ink-faint">{field.name}</dt>
                <dd className="break-words whitespace-pre-line">
                  {shownCell(field, data.fields[field.id]).as === 'files' && data.fields[field.id] !== undefined ? (
                    <Files value={data.fields[field.id]} />
                  ) : (
                    <CellValue field={field} value={data.fields[field.id]} />
                  )}
                </dd>
              </div>
            ))}
        </dl>
      )}
    </Dialog>
  );
};
