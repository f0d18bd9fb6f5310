// Checks what starts an automation against the tables of its base, and puts ids in place of names.
import type { Trigger } from '@rowhouse/contract/automation-definition.ts';
import type { Issue } from '@rowhouse/contract/error.ts';
import { type FilterField, readFilter } from '@rowhouse/contract/filter.ts';
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import { isTimeZone } from '@rowhouse/contract/zone.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import { cellTypeOf } from '../cell/types.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { readCron } from './cron.ts';

/** What of a table an automation may name. */
export interface KnownTable {
  id: string;
  fields: readonly FieldSchema[];
  views: readonly ViewSchema[];
}

/** Undefined: there is no such table, or it is not seen. */
export type Tables = ReadonlyMap<string, KnownTable | undefined>;

export const fieldIn = ({ fields }: Pick<KnownTable, 'fields'>, key: string): FieldSchema | undefined =>
  fields.find(({ id }) => id === key) ?? fields.find(({ name }) => name === key);

export const noField = (path: string, key: string): Issue => ({
  path,
  message: `The table has no field ${JSON.stringify(key.slice(0, 100))}`,
  expected: 'the id or name of a field of the table',
});

export const filterFieldsOf = ({ fields }: Pick<KnownTable, 'fields'>): Map<string, FilterField> =>
  new Map(fields.map((field) => [field.id, filterFieldOf(field)]));

/** The table that is named at a place; undefined when it is not there, which is an issue. */
type TableAt = (tableId: string, path: string) => KnownTable | undefined;

export const readTrigger = (trigger: Trigger, tableAt: TableAt, issues: Issue[]): Trigger => {
  if (trigger.type === 'schedule' || trigger.type === 'incomingCall') {
    if (trigger.type === 'schedule') {
      const cron = readCron(trigger.cron);
      if (typeof cron === 'string')
        issues.push({ path: 'trigger.cron', message: cron, expected: 'such as "0 9 * * MON-FRI"' });
      checkZone(trigger.timeZone, issues);
    }
    return trigger;
  }
  const table = tableAt(trigger.tableId, 'trigger.tableId');
  if (table === undefined) return trigger;
  const read = { ...trigger };
  const filterIn = (filter: unknown): unknown => {
    const found = readFilter(filter, filterFieldsOf(table), 'trigger.filter');
    issues.push(...found.issues);
    return found.filter;
  };
  if ('filter' in read && read.filter != null) read.filter = filterIn(read.filter) as never;
  if ('fieldIds' in read && read.fieldIds != null)
    read.fieldIds = read.fieldIds.map((key, at) => {
      const field = fieldIn(table, key);
      if (field === undefined) issues.push(noField(`trigger.fieldIds[${at}]`, key));
      return field?.id ?? key;
    });
  if ('viewId' in read) {
    const view = table.views.find(({ id }) => id === read.viewId);
    if (view === undefined)
      issues.push({ path: 'trigger.viewId', message: 'The table has no such view', expected: 'the id of a view' });
    else if (read.type === 'formSubmitted' && shapeOf(view.type).share !== 'answers')
      issues.push({ path: 'trigger.viewId', message: `The view is of type ${view.type}`, expected: 'a form' });
  }
  if (read.type === 'dateReached') {
    const field = fieldIn(table, read.fieldId);
    if (field === undefined) issues.push(noField('trigger.fieldId', read.fieldId));
    else if (cellTypeOf(field).kind !== 'date' || cellTypeOf(field).isMultiple)
      issues.push({ path: 'trigger.fieldId', message: `"${field.name}" holds no date`, expected: 'a date field' });
    else read.fieldId = field.id;
    checkZone(read.timeZone, issues);
  }
  return read;
};

const checkZone = (timeZone: string, issues: Issue[]): void => {
  if (!isTimeZone(timeZone))
    issues.push({ path: 'trigger.timeZone', message: 'It is not a time zone', expected: 'such as Europe/Berlin' });
};
