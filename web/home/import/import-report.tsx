// What came from another service, and what did not.
import { Download } from 'lucide-react';
import { csvOf, saveText } from '../../app/save-text.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/toast.ts';

interface Left {
  table: string;
  field?: string;
  view?: string;
  reason: string;
}

export interface ImportedBase {
  baseId: string;
  tables: { id: string; name: string; records: number }[];
  left: Left[];
}

const placeOf = ({ table, field, view }: Left): string =>
  [table, field ?? view].filter((part) => part !== undefined && part !== '').join(' › ');

export const ImportReport = ({
  imported: { tables, left },
  onOpen,
}: {
  imported: ImportedBase;
  onOpen: () => void;
}) => (
  <div className="flex flex-col gap-4">
    <p role="status">
      Imported:{' '}
      {counted(
        tables.reduce((sum, { records }) => sum + records, 0),
        'record',
      )}{' '}
      in {counted(tables.length, 'table')}.
    </p>
    {left.length > 0 && (
      <section aria-label="What was left out">
        <div className="mb-2 flex items-center gap-2">
          <h3 className="flex-1 font-medium">Left out, or changed</h3>
          <Button
            size="small"
            icon={<Download size={15} />}
            onClick={() =>
              saveText(
                'left-out.csv',
                csvOf(
                  ['Table', 'Field', 'View', 'Reason'],
                  left.map(({ table, field, view, reason }) => [table, field ?? '', view ?? '', reason]),
                ),
              )
            }
          >
            Download
          </Button>
        </div>
        <ul className="max-h-60 overflow-y-auto rounded-xl border border-line text-[13px]">
          {left.map((entry, at) => (
            <li key={at} className="border-b border-line px-3 py-1.5 last:border-0">
              {placeOf(entry) !== '' && <span className="font-medium">{placeOf(entry)}: </span>}
              <span className="text-ink-soft">{entry.reason}</span>
            </li>
          ))}
        </ul>
      </section>
    )}
    <div className="flex justify-end">
      <Button look="primary" onClick={onOpen}>
        Open the base
      </Button>
    </div>
  </div>
);
