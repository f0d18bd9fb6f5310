// The first rows of a sheet, with what each of its columns becomes.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { analyzeImport } from '@rowhouse/contract/import.ts';
import type { ReactNode } from 'react';

export type Sheet = ResponseOf<typeof analyzeImport>['worksheets'][string];

export const SheetPreview = ({ sheet, target }: { sheet: Sheet; target: (column: number) => ReactNode }) => (
  <div className="overflow-x-auto rounded-xl border border-line">
    <table className="w-full text-[13px]">
      <caption className="px-3 py-2 text-left font-medium">{sheet.name}</caption>
      <thead>
        <tr>
          {sheet.columns.map(({ name }, at) => (
            <th key={name} scope="col" className="min-w-36 border-b border-line p-2 text-left align-top font-medium">
              <span className="mb-1 block truncate">{name}</span>
              {target(at)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sheet.sample.slice(1, 6).map((row, line) => (
          <tr key={line}>
            {sheet.columns.map(({ name }, at) => (
              <td key={name} className="max-w-60 truncate border-b border-line px-3 py-1.5 text-ink-soft">
                {row[at] ?? ''}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
