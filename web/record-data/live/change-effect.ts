// What a change that somebody made means for the view that is on the screen: only what changed is touched.
import type { EventData } from '@rowhouse/contract/event.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import type { CellText, RecordChange } from '../record-changes.ts';

type Effect =
  /** Records may stand elsewhere now. */
  | { kind: 'order' }
  /** These records are to be read again. */
  | { kind: 'read'; recordIds: string[] }
  | { kind: 'cells'; changes: RecordChange[] };

const fieldsOfFilter = (item: Condition | FilterGroup): string[] =>
  'filterSet' in item ? item.filterSet.flatMap(fieldsOfFilter) : [item.fieldId];

/** Fields whose cells decide whether and where a record stands in the view. */
export const decidingFields = (view: View): ReadonlySet<string> =>
  new Set([
    ...(view.filter === undefined ? [] : fieldsOfFilter(view.filter as FilterGroup)),
    ...(view.sort?.manualSort === true ? [] : (view.sort?.sortObjs ?? []).map(({ fieldId }) => fieldId)),
    ...(view.group ?? []).map(({ fieldId }) => fieldId),
  ]);

/** Every change of a record changes these too. */
const followsEveryChange = ({ type }: Field): boolean => type === 'lastModifiedTime' || type === 'lastModifiedBy';

/** What follows from a change elsewhere leaves alone who changed the record last, and when. */
const withCells = (
  record: RecordVo,
  cells: Record<string, unknown>,
  primary: Field | undefined,
  modified: Pick<RecordVo, 'lastModifiedTime' | 'lastModifiedBy'>,
  textOf: CellText,
): RecordVo => {
  const fields = Object.fromEntries(
    Object.entries({ ...record.fields, ...cells }).filter(([, value]) => value !== null),
  );
  const name = primary === undefined || !(primary.id in cells) ? {} : { name: textOf(primary, fields[primary.id]) };
  return { ...record, ...name, fields, ...modified };
};

export const effectOf = (
  { fieldIds, recordIds, records, time, by, cause, recordsOmitted }: EventData<'records.updated'>,
  view: View,
  fields: readonly Field[],
  textOf: CellText,
): Effect => {
  const deciding = decidingFields(view);
  const follows = cause === undefined ? fields.filter(followsEveryChange) : [];
  if (
    recordsOmitted === true ||
    fieldIds.length === 0 ||
    fieldIds.some((id) => deciding.has(id)) ||
    follows.some(({ id }) => deciding.has(id))
  )
    return { kind: 'order' };
  if (records === undefined || follows.length > 0) return { kind: 'read', recordIds };
  const primary = fields.find(({ isPrimary }) => isPrimary === true);
  const modified = cause === undefined ? { lastModifiedTime: time, lastModifiedBy: by } : {};
  return {
    kind: 'cells',
    changes: records.map(({ id, fields: cells }) => ({
      id,
      apply: (record) => withCells(record, cells, primary, modified, textOf),
    })),
  };
};
