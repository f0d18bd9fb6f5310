// What the options of links say of the other table for pickers: which records to offer, and which fields to show. Fields that go, go from them, and so do
// conditions on fields that become something else.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { isLink } from '../cell/linked.sql.ts';
import { filterFieldIds } from '../cell/filter.sql.ts';
import { updateComputed } from './field.sql.ts';

interface Limits {
  visibleFieldIds?: string[] | null;
  filter?: FilterGroup | null;
}

/** Gone, or of another kind than before. */
const isOther = (fieldId: string, before: RelatedTable | undefined, after: RelatedTable): boolean => {
  const [was, now] = [before?.byId.get(fieldId), after.byId.get(fieldId)];
  return now === undefined || (was !== undefined && (was.type !== now.type || was.isLookup !== now.isLookup));
};

/** Without the conditions on some fields; null when none are left. */
const pruned = ({ conjunction, filterSet }: FilterGroup, isGone: (fieldId: string) => boolean): FilterGroup | null => {
  const left = filterSet.flatMap((item): (Condition | FilterGroup)[] =>
    'filterSet' in item ? [pruned(item, isGone) ?? []].flat() : isGone(item.fieldId) ? [] : [item],
  );
  return left.length === 0 ? null : { conjunction, filterSet: left };
};

/** Undefined when nothing is to be changed. */
const fitted = (
  { options }: FieldSchema,
  before: RelatedTable | undefined,
  foreign: RelatedTable,
): Record<string, unknown> | undefined => {
  const { visibleFieldIds, filter } = options as Limits;
  const shown = visibleFieldIds?.filter((id) => foreign.byId.has(id)) ?? [];
  const isFewer = visibleFieldIds != null && shown.length < visibleFieldIds.length;
  const isUnfit = filter != null && filterFieldIds(filter).some((id) => isOther(id, before, foreign));
  if (!isFewer && !isUnfit) return undefined;
  return {
    ...options,
    ...(isFewer ? { visibleFieldIds: shown.length === 0 ? null : shown } : {}),
    ...(isUnfit ? { filter: pruned(filter, (id) => isOther(id, before, foreign)) } : {}),
  };
};

/** Answers the ids of the tables whose links changed. */
export const fitLinks = async (tx: Tx, before: RelatedTable, after: RelatedTable): Promise<Set<string>> => {
  const changed = new Set<string>();
  for (const table of after.related.values()) {
    for (const field of table.fields.filter(isLink)) {
      const foreignTableId = field.options['foreignTableId'] as string;
      const foreign = after.related.get(foreignTableId);
      const options = foreign === undefined ? undefined : fitted(field, before.related.get(foreignTableId), foreign);
      if (options === undefined) continue;
      await updateComputed(tx, { ...field, options });
      changed.add(table.id);
    }
  }
  return changed;
};
