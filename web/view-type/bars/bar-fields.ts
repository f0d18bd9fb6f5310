// The fields that a view of bars rests on, as its options name them. A field that is not chosen is not guessed: dates of another meaning would be shown.
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { type WorkingTime, workingTime } from '@rowhouse/contract/working-days.ts';
import { isUsableLink, linkOptionsOf } from '../../field-type/link/linked.ts';

export interface BarFields {
  start: Field;
  end: Field | undefined;
  /** How many working days a record lasts, where no field says when it ends. */
  duration: Field | undefined;
  lane: Field | undefined;
  works: WorkingTime;
}

export interface Waiting {
  /** Leads to what has to be finished before. */
  link: Field;
  lag: number;
  /** In its place, where the cell holds a number. */
  lagField: Field | undefined;
}

const singles = (fields: readonly Field[], kind: string): Field[] =>
  fields.filter((field) => kindOf(field) === kind && field.isMultipleCellValue !== true);

export const singleDates = (fields: readonly Field[]): Field[] => singles(fields, 'date');
export const singleNumbers = (fields: readonly Field[]): Field[] => singles(fields, 'number');
export const checkboxes = (fields: readonly Field[]): Field[] => singles(fields, 'boolean');

export const ownLinks = (fields: readonly Field[], tableId: string): Field[] =>
  fields.filter((field) => isUsableLink(field) && linkOptionsOf(field).foreignTableId === tableId);

const chosen = ({ options }: View, key: string, among: readonly Field[]): Field | undefined =>
  among.find(({ id }) => id === options[key]);

const listIn = <T>({ options }: View, key: string): readonly T[] => (options[key] as T[] | null | undefined) ?? [];

export const workingDaysOf = (view: View): readonly number[] => listIn(view, 'workingDays');
export const holidaysOf = (view: View): readonly string[] => listIn(view, 'holidays');

export const barFieldsOf = (view: View, fields: readonly Field[]): BarFields | undefined => {
  const dates = singleDates(fields);
  const start = chosen(view, 'startDateFieldId', dates);
  if (start === undefined) return undefined;
  const end = chosen(
    view,
    'endDateFieldId',
    dates.filter(({ id }) => id !== start.id),
  );
  return {
    start,
    end,
    duration: end === undefined ? chosen(view, 'durationFieldId', singleNumbers(fields)) : undefined,
    lane: chosen(view, 'laneFieldId', fields),
    works: workingTime(workingDaysOf(view), holidaysOf(view)),
  };
};

const waitingOf = (view: View, fields: readonly Field[], tableId: string): Waiting | undefined => {
  const link = chosen(
    view,
    'dependencyFieldId',
    fields.filter((field) => {
      // A share does not say where links lead; the server has taken none but those within the table.
      const { foreignTableId } = linkOptionsOf(field);
      return isUsableLink(field) && (!foreignTableId || foreignTableId === tableId);
    }),
  );
  if (link === undefined) return undefined;
  const lag = view.options['lag'];
  return {
    link,
    lag: typeof lag === 'number' ? lag : 0,
    lagField: chosen(view, 'lagFieldId', singleNumbers(fields)),
  };
};

/** What a Gantt chart shows besides bars; timelines have nothing of it. */
export interface WhatWaits {
  waiting: Waiting | undefined;
  milestones: Field | undefined;
}

export const whatWaits = (view: View, fields: readonly Field[], tableId: string, isGantt: boolean): WhatWaits => ({
  waiting: isGantt ? waitingOf(view, fields, tableId) : undefined,
  milestones: isGantt ? chosen(view, 'milestoneFieldId', checkboxes(fields)) : undefined,
});

/** The fields whose cells bars are made of. */
export const madeOf = (
  { start, end, duration, lane }: BarFields,
  waiting: Waiting | undefined,
  milestones: Field | undefined,
): (Field | undefined)[] => [start, end, duration, lane, waiting?.link, waiting?.lagField, milestones];

const words: Record<string, string> = {
  startDateFieldId: 'when records begin',
  endDateFieldId: 'when records end',
  durationFieldId: 'how long records last',
  laneFieldId: 'their lanes',
  dependencyFieldId: 'what waits for what',
  lagFieldId: 'the lag',
  milestoneFieldId: 'milestones',
};

/** What has lost its field, in words. Set to something else, or to nothing, it is lost no more. */
export const lostIn = (view: View): string[] =>
  listIn<string>(view, 'lostOptions').flatMap((key) => (view.options[key] === undefined ? (words[key] ?? []) : []));
