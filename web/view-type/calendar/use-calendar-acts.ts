// What people do to the records of a calendar: each act is one edit, which undo takes back whole.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { queryClient } from '../../app/query-client.ts';
import { addDays, daysApart } from '../../field-type/date/month.ts';
import { recordQuery, recordsKey } from '../../record-data/queries.ts';
import type { TableRecords } from '../../record-data/table-records.ts';
import { type CalendarFields, dayOf, movedBy, moveToDay } from './calendar-fields.ts';
import { lengthened, movedByMinutes, movedTo } from './hours.ts';

type Cells = ReturnType<typeof movedTo>;

export const useCalendarActs = (
  tableId: string,
  fields: CalendarFields,
  shown: readonly RecordVo[],
  { edits }: TableRecords,
) => {
  const { start } = fields;
  const write = async (record: RecordVo, cells: Cells): Promise<void> => {
    if (cells.length === 0) return;
    await edits.edit(
      cells.map(({ field, value }) => ({
        recordId: record.id,
        fieldId: field.id,
        value,
        before: edits.beforeOf(record, field.id),
      })),
      { isWhole: true },
    );
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  };
  const find = (recordId: string): RecordVo | undefined => shown.find(({ id }) => id === recordId);
  /** One that comes from the list of those without a day is not among what is shown. */
  const read = async (recordId: string): Promise<RecordVo> =>
    find(recordId) ?? (await queryClient.fetchQuery(recordQuery(tableId, recordId)));
  /** Both ends move together. */
  const toDay = async (recordId: string, day: string): Promise<void> => {
    const record = await read(recordId);
    const from = dayOf(start, record.fields[start.id]);
    await write(
      record,
      from === undefined
        ? [{ field: start, value: moveToDay(start, undefined, day) }]
        : movedBy(fields, record, daysApart(from, day)),
    );
  };
  const change = async (recordId: string, cellsOf: (record: RecordVo) => Cells): Promise<void> => {
    const record = find(recordId);
    if (record !== undefined) await write(record, cellsOf(record));
  };
  return {
    toDay,
    byDays: async (recordId: string, days: number): Promise<void> => {
      const from = dayOf(start, find(recordId)?.fields[start.id]);
      if (from !== undefined) await toDay(recordId, addDays(from, days));
    },
    toTime: async (recordId: string, day: string, minutes: number): Promise<void> => {
      const record = await read(recordId);
      await write(record, movedTo(fields, record, day, minutes));
    },
    byMinutes: (recordId: string, days: number, minutes: number): Promise<void> =>
      change(recordId, (record) => movedByMinutes(fields, record, days, minutes)),
    lengthen: (recordId: string, minutes: number): Promise<void> =>
      change(recordId, (record) => lengthened(fields, record, minutes)),
    clear: (recordId: string): Promise<void> => change(recordId, () => [{ field: start, value: null }]),
  };
};
