// Records as bars: from when to when each lasts, and which cells say so. Times are wall times of the zone that the fields are shown in.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { dayLength } from '@rowhouse/contract/working-days.ts';
import { instantOf, wallOf } from '@rowhouse/contract/zone.ts';
import { dateFormattingOf } from '../../field-type/date/date-format.ts';
import type { BarFields } from './bar-fields.ts';
import type { Span } from './schedule.ts';

export interface Bar extends Span {
  record: RecordVo;
  id: string;
  name: string;
  isMilestone: boolean;
}

const hour = 3_600_000;

export const showsDays = (field: Field): boolean => dateFormattingOf(field.options).time === 'None';
export const zoneOf = (field: Field): string => dateFormattingOf(field.options).timeZone;

const floorDay = (moment: number): number => Math.floor(moment / dayLength) * dayLength;
const ceilDay = (moment: number): number => Math.ceil(moment / dayLength) * dayLength;

const wallIn = (field: Field | undefined, record: RecordVo): number | undefined => {
  const value = field === undefined ? undefined : record.fields[field.id];
  if (field === undefined || typeof value !== 'string') return undefined;
  const instant = Date.parse(value);
  return Number.isNaN(instant) ? undefined : wallOf(instant, zoneOf(field));
};

const longestDuration = 3_650_000;

/** Undefined without a start. What ends before it begins is shown where it begins. */
export const spanOf = (
  { start, end, duration, works }: BarFields,
  record: RecordVo,
  isMilestone = false,
): Span | undefined => {
  const wall = wallIn(start, record);
  if (wall === undefined) return undefined;
  const byDay = showsDays(start);
  const from = byDay ? floorDay(wall) : wall;
  const least = byDay ? from + dayLength : from + (isMilestone ? 0 : hour);
  if (isMilestone) return { start: from, end: least };
  const days = duration === undefined ? undefined : record.fields[duration.id];
  if (typeof days === 'number' && days > 0 && days < longestDuration) {
    const until = works.after(from, days * dayLength);
    return { start: from, end: byDay ? ceilDay(until) : until };
  }
  const until = wallIn(end, record);
  if (end === undefined || until === undefined) return { start: from, end: least };
  const shown = showsDays(end) ? floorDay(until) + dayLength : byDay ? ceilDay(until) : until;
  return { start: from, end: shown > from ? shown : least };
};

export const barsOf = (
  fields: BarFields,
  records: readonly RecordVo[],
  milestones: Field | undefined,
  nameOf: (record: RecordVo) => string,
): Bar[] =>
  records.flatMap((record) => {
    const isMilestone = milestones !== undefined && record.fields[milestones.id] === true;
    const span = spanOf(fields, record, isMilestone);
    return span === undefined ? [] : [{ ...span, record, id: record.id, name: nameOf(record), isMilestone }];
  });

export interface NewCell {
  field: Field;
  value: unknown;
}

const isoOf = (field: Field, wall: number): string => new Date(instantOf(wall, zoneOf(field))).toISOString();

/** What a date is not shown as stays: the time of a day, and the seconds of a time. */
const moved = (field: Field, record: RecordVo, by: number, otherwise: number): NewCell => {
  const wall = wallIn(field, record);
  return { field, value: isoOf(field, wall === undefined ? otherwise : wall + by) };
};

/** The cells that make of a bar what `to` is. What they hold already is not among them. */
export const cellsFor = (fields: BarFields, record: RecordVo, from: Span | undefined, to: Span): NewCell[] => {
  const { start, end, duration, works } = fields;
  const cells: NewCell[] = [];
  if (from?.start !== to.start) cells.push(moved(start, record, to.start - (from?.start ?? 0), to.start));
  const hasEnd = end !== undefined && typeof record.fields[end.id] === 'string';
  const isStretched = from === undefined || to.end - to.start !== from.end - from.start;
  if (end !== undefined && (hasEnd ? from?.end !== to.end : isStretched)) {
    const shown = wallIn(end, record);
    // One that stood before the start is put right.
    const isTrue = from !== undefined && shown !== undefined && from.end > from.start && shown >= from.start;
    const last = showsDays(end) ? to.end - dayLength : to.end;
    cells.push(isTrue ? moved(end, record, to.end - from.end, last) : { field: end, value: isoOf(end, last) });
  }
  const workOf = (span: Span): number => works.between(span.start, span.end);
  if (duration !== undefined && (from === undefined || workOf(from) !== workOf(to))) {
    const days = Math.round((works.between(to.start, to.end) / dayLength) * 10_000) / 10_000;
    // Stretched over free days alone it lasts for as many days.
    const value = days > 0 ? days : (to.end - to.start) / dayLength;
    if (record.fields[duration.id] !== value && (from !== undefined || value !== 1))
      cells.push({ field: duration, value });
  }
  return cells;
};

/** Nothing of it is computed. */
export const isWritable = (field: Field | undefined): field is Field =>
  field !== undefined && field.isComputed !== true;

/** A new bar, or one that gets its first date, that covers these moments. */
export const coveredBy = ({ start }: BarFields, one: number, other: number): Span => {
  const [from, until] = [Math.min(one, other), Math.max(one, other)];
  if (showsDays(start)) return { start: floorDay(from), end: Math.max(ceilDay(until), floorDay(from) + dayLength) };
  return { start: from, end: Math.max(until, from + hour) };
};
