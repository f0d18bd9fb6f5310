// Pasting from a spreadsheet: existing rows are changed, rows beyond the end are created; the server converts the
// texts, and the report says what did not fit.
import { createRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import { call } from '../app/call.ts';
import type { Column } from './columns.ts';
import type { EditQueue } from './edit-queue.ts';

export interface PasteTarget {
  tableId: string;
  columns: readonly Column[];
  rowCount: number;
  row: number;
  column: number;
  /** Records of rows that may not be loaded yet. */
  recordsFrom: (first: number, count: number) => Promise<RecordVo[]>;
  edits: EditQueue;
  /** Cells of records that were there have been written. */
  onChanged: () => void;
  onCreated: (records: RecordVo[]) => void;
}

export interface PasteReport {
  cells: number;
  created: number;
  /** Texts that no cell of their field can hold; those cells are empty now. */
  dropped: number;
}

const recordsPerRequest = 2_000;

export const pasteCells = async (target: PasteTarget, values: readonly (readonly string[])[]): Promise<PasteReport | null> => {
  const report: PasteReport = { cells: 0, created: 0, dropped: 0 };
  const fieldsOf = (texts: readonly string[]): [fieldId: string, text: string | null][] =>
    texts.flatMap((text, index) => {
      const field = target.columns[target.column + index]?.field;
      return field === undefined || field.isComputed === true ? [] : [[field.id, text === '' ? null : text] as [string, string | null]];
    });

  const existing = Math.max(0, Math.min(values.length, target.rowCount - target.row));
  const records = existing === 0 ? [] : await target.recordsFrom(target.row, existing);
  const changes = records.flatMap((record, index) => fieldsOf(values[index] ?? []).map(([fieldId, value]) => ({ recordId: record.id, fieldId, value })));
  if (changes.length > 0) {
    let saved: ReadonlyMap<string, RecordVo> = new Map();
    const written = await target.edits.edit(changes, {
      typecast: true,
      onSaved: (answer) => {
        saved = new Map(answer.map((record) => [record.id, record]));
        target.onChanged();
      },
    });
    if (!written) return null;
    report.cells += changes.length;
    report.dropped += changes.filter(({ recordId, fieldId, value }) => value !== null && isTrue(value) && saved.get(recordId)?.fields[fieldId] === undefined).length;
  }

  const fresh = values.slice(existing);
  for (let start = 0; start < fresh.length; start += recordsPerRequest) {
    const chunk = fresh.slice(start, start + recordsPerRequest).map((texts) => ({ fields: Object.fromEntries(fieldsOf(texts)) }));
    const answer = await call(createRecords, { params: { tableId: target.tableId }, body: { records: chunk, fieldKeyType: 'id', typecast: true } });
    target.onCreated(answer.records);
    report.created += answer.records.length;
    report.cells += chunk.reduce((sum, { fields }) => sum + Object.keys(fields).length, 0);
    report.dropped += answer.extra?.typecast?.entries.filter(({ note }) => note === 'dropped').length ?? 0;
  }
  return report;
};

/** An unticked checkbox is an empty cell, and that is what "false" means. */
const isTrue = (text: string): boolean => !/^(false|0|no|off)$/i.test(text.trim());

export const pasteText = ({ cells, created, dropped }: PasteReport): { title: string; detail?: string } => ({
  title: `${cells} ${cells === 1 ? 'cell' : 'cells'} pasted${created === 0 ? '' : `, ${created} ${created === 1 ? 'record' : 'records'} added`}.`,
  ...(dropped === 0 ? {} : { detail: `${dropped} ${dropped === 1 ? 'value did' : 'values did'} not fit; ${dropped === 1 ? 'its cell is' : 'their cells are'} empty.` }),
});
