// The first rows of a sheet, with what each of its columns becomes.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { analyzeImport } from '@rowhouse/contract/import.ts';
import type { ReactNode } from 'react';
import { SelectField } from '../ui/select-field.tsx';

export type Sheet = ResponseOf<typeof analyzeImport>['worksheets'][string];

interface SheetPreviewProps {
  sheet: Sheet;
  /** From 1 on; 0 when no row holds the names. */
  headerRow: number;
  /** What stands above a column: its name, and what it becomes. */
  target: (column: number) => ReactNode;
}

const rowsShown = 5;

export const SheetPreview = ({ sheet, headerRow, target }: SheetPreviewProps) => (
  <div className="overflow-x-auto rounded-xl border border-line">
    <table className="w-full text-[13px]">
      <caption className="sr-only">{sheet.name}</caption>
      <thead>
        <tr>
          {sheet.columns.map((_column, at) => (
            <th key={at} scope="col" className="min-w-40 border-b border-line p-2 text-left align-top font-medium">
              {target(at)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sheet.sample.slice(headerRow, headerRow + rowsShown).map((row, line) => (
          <tr key={line}>
            {sheet.columns.map((_column, at) => (
              <td key={at} className="max-w-60 truncate border-b border-line px-3 py-1.5 text-ink-soft">
                {row[at] ?? ''}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const shownOf = (row: readonly string[]): string =>
  row
    .filter((text) => text !== '')
    .join(', ')
    .slice(0, 60);

/** Which row holds the names of the columns. */
export const HeaderRowChoice = ({
  sheet,
  headerRow,
  onHeaderRow,
}: Omit<SheetPreviewProps, 'target'> & { onHeaderRow: (headerRow: number) => void }) => (
  <SelectField
    label={`Column names of ${sheet.name}`}
    value={String(headerRow)}
    options={[
      ...sheet.sample.map((row, at) => ({ value: String(at + 1), label: `Row ${at + 1}: ${shownOf(row)}` })),
      { value: '0', label: 'No header row' },
    ]}
    onValue={(next) => onHeaderRow(Number(next))}
  />
);
