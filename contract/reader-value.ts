// Values of the person who asks, in conditions of grants: cells of their own records in another table, and the groups that they are in.

/** Cells of the records of a table whose person field names the caller; without `fieldId` these records themselves. */
interface Mine {
  type: 'mine';
  tableId: string;
  keyFieldId: string;
  fieldId?: string;
}

/** People of the same groups, or the names of the groups. */
interface MyGroups {
  type: 'myGroups';
  of?: 'people' | 'names';
}

export type ReaderValue = Mine | MyGroups;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Undefined for every other value of a condition. */
export const readerValueOf = (value: unknown): ReaderValue | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, tableId, keyFieldId, fieldId, of } = value as Record<string, unknown>;
  if (type === 'mine' && isText(tableId) && isText(keyFieldId) && (fieldId === undefined || isText(fieldId)))
    return { type, tableId, keyFieldId, ...(fieldId === undefined ? {} : { fieldId }) };
  if (type === 'myGroups') return { type, ...(of === 'people' || of === 'names' ? { of } : {}) };
  return undefined;
};

/** Wherever they stand in something that may be a filter, or hold some. */
export const readerValuesIn = (given: unknown): ReaderValue[] => {
  const own = readerValueOf(given);
  if (own !== undefined) return [own];
  return typeof given === 'object' && given !== null ? Object.values(given).flatMap(readerValuesIn) : [];
};

/** Conditions that hold where one of the values does. What they are in a condition without any says nothing: it holds for no record. */
export const readerOperators: readonly string[] = ['is', 'isAnyOf', 'hasAnyOf'];

/** Kinds of cells that a cell of some kind can be equal to. */
export const readerKinds: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'choice'],
  choice: ['choice', 'text'],
  number: ['number'],
  person: ['person'],
  link: ['link'],
};

/** Kinds of cells that groups can be compared with: by their people, or by their names. */
export const groupKinds: readonly string[] = ['person', 'text', 'choice'];
