// A week of records as bars: one per record and week, in the first free lane.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { CalendarFields } from './calendar-fields.ts';
import { dayOf } from './calendar-fields.ts';

export interface Bar {
  record: RecordVo;
  /** Columns of the week, 0 to 6. */
  first: number;
  last: number;
  lane: number;
  /** It goes on beyond the week. */
  beginsBefore: boolean;
  endsAfter: boolean;
}

/** From when to when a record lasts; undefined without a day. */
const spanOf = ({ start, end }: CalendarFields, record: RecordVo): { from: string; until: string } | undefined => {
  const from = dayOf(start, record.fields[start.id]);
  if (from === undefined) return undefined;
  const until = end === undefined ? undefined : dayOf(end, record.fields[end.id]);
  return { from, until: until === undefined || until < from ? from : until };
};

/** Those that began earlier come first, then the longer ones, so that a bar keeps its height from week to week as well as it can. */
export const barsOf = (fields: CalendarFields, records: readonly RecordVo[], week: readonly string[]): Bar[] => {
  const [monday = '', sunday = ''] = [week[0], week.at(-1)];
  const spans = records
    .flatMap((record) => {
      const span = spanOf(fields, record);
      return span === undefined || span.until < monday || span.from > sunday ? [] : [{ record, ...span }];
    })
    .sort((one, other) => one.from.localeCompare(other.from) || other.until.localeCompare(one.until));
  const lanes: number[] = [];
  return spans.map(({ record, from, until }) => {
    const first = Math.max(0, week.indexOf(from));
    const last = until >= sunday ? week.length - 1 : week.indexOf(until);
    const free = lanes.findIndex((taken) => taken < first);
    const lane = free < 0 ? lanes.length : free;
    lanes[lane] = last;
    return { record, first, last, lane, beginsBefore: from < monday, endsAfter: until > sunday };
  });
};

export const laneHeight = 1.75;
