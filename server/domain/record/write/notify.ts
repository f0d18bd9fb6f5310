// Who a write names in user fields that ask to notify. A create knows it outright; an update may name people who
// were named before, so it only marks the fields, and the one who makes the notifications compares with the history.
import type { FieldSchema } from '../../../catalog/table.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import type { Column } from './cells.ts';

export interface NamedPerson {
  fieldName: string;
  recordId: string;
  /** Records of the request that name the person. */
  count: number;
}

/** What `__operation.notify` holds. */
export interface Notify {
  named?: Record<string, NamedPerson>;
  fieldIds?: string[];
  /** A comment, instead of a user field. */
  comment?: {
    id: string;
    recordId: string;
    cause: 'created' | 'changed' | 'reacted';
    /** People whom it mentions, and did not before. */
    mentioned: readonly string[];
    /** Of the comment that was quoted or reacted to. */
    authorId?: string;
    reaction?: string;
  };
}

const asksToNotify = (field: FieldSchema): boolean => fieldTypeOf(field).notifies?.(field.options) === true;

export const peopleIn = (cell: unknown): string[] =>
  [cell]
    .flat()
    .map((person) => (person as { id?: unknown } | null)?.id)
    .filter((id) => typeof id === 'string');

/** Counts records, not cells: one person in two fields of a record is named once. */
export const countNamed = (
  cells: Iterable<{ recordId: string; fieldName: string; userIds: readonly string[] }>,
  actor: string,
): Map<string, NamedPerson> => {
  const named = new Map<string, NamedPerson>();
  const seen = new Set<string>();
  for (const { recordId, fieldName, userIds } of cells) {
    for (const userId of userIds) {
      if (userId === actor || seen.has(`${recordId}/${userId}`)) continue;
      seen.add(`${recordId}/${userId}`);
      const known = named.get(userId);
      if (known === undefined) named.set(userId, { fieldName, recordId, count: 1 });
      else known.count += 1;
    }
  }
  return named;
};

function* cellsOf(
  columns: readonly Column[],
  ids: readonly string[],
): Generator<{ recordId: string; fieldName: string; userIds: string[] }> {
  for (const { field, values } of columns) {
    for (let at = 0; at < values.length; at += 1) {
      if (values[at] !== null)
        yield { recordId: ids[at] as string, fieldName: field.name, userIds: peopleIn(values[at]) };
    }
  }
}

/** JSON text for the operation of a create, or null when nobody has to be told. */
export const notifyOfCreate = (columns: readonly Column[], ids: readonly string[], actor: string): string | null => {
  const asking = columns.filter(({ field }) => asksToNotify(field));
  if (asking.length === 0) return null;
  const named = countNamed(cellsOf(asking, ids), actor);
  return named.size === 0 ? null : JSON.stringify({ named: Object.fromEntries(named) } satisfies Notify);
};

/** JSON text for the operation of an update, or null when it names nobody. */
export const notifyOfUpdate = (columns: readonly Column[]): string | null => {
  const asking = columns.filter(({ field, values }) => asksToNotify(field) && values.some((value) => value !== null));
  return asking.length === 0
    ? null
    : JSON.stringify({ fieldIds: asking.map(({ field }) => field.id) } satisfies Notify);
};
