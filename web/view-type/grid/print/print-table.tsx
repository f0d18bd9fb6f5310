// What a grid gives to a printer: the records of the view as a table, not the screen. The browser's own command prints what
// is loaded; the one of the view reads up to a limit first.
import { tint, useCardColors } from '../../../field-type/cell/record-colors.tsx';
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { call } from '../../../app/call.ts';
import { inParts } from '../../../app/in-parts.ts';
import { showProblem } from '../../../ui/toast.ts';
import { CellValue } from '../../../field-type/cell/cell-value.tsx';
import { type Column, columnsOf } from '../../../record-data/columns.ts';
import { recordsPage } from '../../../record-data/first-questions.ts';
import type { RecordWindow } from '../../../record-data/record-window.ts';
import { onPrintRequest } from './print-request.ts';

const printedAtMost = 2_000;
const pageSize = 1_000;

const readRecords = async (tableId: string, viewId: string): Promise<RecordVo[]> => {
  const records: RecordVo[] = [];
  while (records.length < printedAtMost) {
    const page = await inParts(records.length, pageSize, async (skip, take) => {
      const query = recordsPage(viewId, skip, take);
      return (await call(listRecords, { params: { tableId }, query })).records;
    });
    records.push(...page);
    if (page.length < pageSize) break;
  }
  return records;
};

const loadedRecords = (window: RecordWindow): RecordVo[] => {
  const records: RecordVo[] = [];
  for (let place = 0; place < printedAtMost; place += 1) {
    const record = window.at(place);
    if (record === undefined) break;
    records.push(record);
  }
  return records;
};

const printed = new Intl.NumberFormat('en');

const PrintedRow = ({ record, columns }: { record: RecordVo; columns: readonly Column[] }) => {
  const { row, cells } = useCardColors(record);
  return (
    <tr className="break-inside-avoid" style={tint(row, 'row')}>
      {columns.map(({ field }) => (
        <td
          key={field.id}
          className="border border-line-strong px-1.5 py-1 align-top break-words"
          style={tint(cells.get(field.id), 'cell')}
        >
          {record.fields[field.id] === undefined ? null : <CellValue field={field} value={record.fields[field.id]} />}
        </td>
      ))}
    </tr>
  );
};

interface PrintTableProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  window: RecordWindow;
}

export const PrintTable = ({ tableId, view, fields, window: shown }: PrintTableProps) => {
  const [records, setRecords] = useState<readonly RecordVo[]>();
  useEffect(() => {
    const begin = (): void => {
      document.documentElement.dataset['print'] = 'table';
      // The browser takes the page as it is when this ends. What was read for it stays.
      flushSync(() => setRecords((read) => read ?? loadedRecords(shown)));
    };
    const end = (): void => {
      delete document.documentElement.dataset['print'];
      setRecords(undefined);
    };
    const stop = onPrintRequest(() => {
      readRecords(tableId, view.id)
        .then((read) => {
          flushSync(() => setRecords(read));
          window.print();
        })
        .catch((error: unknown) => showProblem(error, 'The records to print could not be read.'));
    });
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      stop();
      end();
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, [tableId, view.id, shown]);

  if (records === undefined) return null;
  const columns = columnsOf(fields, view);
  const total = shown.rowCount() ?? records.length;
  return createPortal(
    <div className="hidden print:block">
      <h1 className="text-[18px] font-semibold">{view.name}</h1>
      <p className="mb-2 text-[11px]">
        {records.length < total
          ? `The first ${printed.format(records.length)} of ${printed.format(total)} records`
          : `${printed.format(total)} ${total === 1 ? 'record' : 'records'}`}
      </p>
      <table aria-label={view.name} className="w-full border-collapse text-[11px]">
        <thead>
          <tr>
            {columns.map(({ field }) => (
              <th
                key={field.id}
                scope="col"
                className="border border-line-strong px-1.5 py-1 text-left align-top font-semibold"
              >
                {field.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <PrintedRow key={record.id} record={record} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  );
};
