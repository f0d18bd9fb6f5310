// What people do to bars: each act is one request, which is undone whole, with everything that it has moved along.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { queryClient } from '../../app/query-client.ts';
import { recordQuery, recordsKey } from '../../record-data/queries.ts';
import type { TableRecords } from '../../record-data/table-records.ts';
import type { BarFields } from './bar-fields.ts';
import { type Bar, cellsFor, type NewCell } from './bars.ts';
import type { Lane } from './rows.ts';
import type { Span } from './schedule.ts';
import { barReads, type BarRecords, barsKey } from './use-bar-records.ts';

interface RecordCells {
  record: RecordVo;
  cells: readonly NewCell[];
}

const withCells = ({ record, cells }: RecordCells): RecordVo => ({
  ...record,
  fields: { ...record.fields, ...Object.fromEntries(cells.map(({ field, value }) => [field.id, value ?? undefined])) },
});

const laneCell = (field: Field | undefined, record: RecordVo, lane: Lane | undefined): NewCell[] =>
  field === undefined ||
  lane === undefined ||
  JSON.stringify(record.fields[field.id] ?? null) === JSON.stringify(lane.cell ?? null)
    ? []
    : [{ field, value: lane.cell ?? null }];

export const useBarActs = (
  tableId: string,
  viewId: string,
  fields: BarFields,
  { edits }: Pick<TableRecords, 'edits'>,
) => {
  const write = async (changes: readonly RecordCells[]): Promise<void> => {
    const changed = changes.filter(({ cells }) => cells.length > 0);
    if (changed.length === 0) return;
    const edit = changed.flatMap(({ record, cells }) =>
      cells.map(({ field, value }) => ({
        recordId: record.id,
        fieldId: field.id,
        value,
        before: edits.beforeOf(record, field.id),
      })),
    );
    // Bars stand where they were put at once, and not where they were until they are read again.
    const queryKey = barsKey(tableId, viewId);
    barReads.forget();
    await queryClient.cancelQueries({ queryKey });
    const next = new Map(changed.map((change) => [change.record.id, withCells(change)]));
    queryClient.setQueriesData<BarRecords>(
      { queryKey },
      (shown) => shown && { ...shown, records: shown.records.map((record) => next.get(record.id) ?? record) },
    );
    await edits.edit(edit, { isWhole: true });
    barReads.forget();
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  };
  return {
    /** The bar and all that moves with it; perhaps into another lane. */
    put: (
      bars: ReadonlyMap<string, Bar>,
      moved: ReadonlyMap<string, Span>,
      id: string,
      lane: Lane | undefined,
    ): Promise<void> =>
      write(
        [...moved].flatMap(([one, to]) => {
          const bar = bars.get(one);
          if (bar === undefined) return [];
          const { record } = bar;
          const cells = [
            ...cellsFor(fields, record, bar, to),
            ...(one === id ? laneCell(fields.lane, record, lane) : []),
          ];
          return [{ record, cells }];
        }),
      ),
    /** One that has no date yet gets its first one. */
    schedule: async (recordId: string, span: Span, lane: Lane | undefined): Promise<void> => {
      const record = await queryClient.fetchQuery(recordQuery(tableId, recordId));
      await write([
        { record, cells: [...cellsFor(fields, record, undefined, span), ...laneCell(fields.lane, record, lane)] },
      ]);
    },
  };
};
