import type { FieldSchema } from '../../catalog/table.ts';
import { isLink } from '../cell/linked.sql.ts';
import { trackedIn } from '../cell/type/system.ts';
import { withOtherIds } from '../formula/references.ts';

/** The copies, with formulas that name the copies, and so do fields that tell of the changes of others. A copied table is filled at once. */
export const copiedFormulas = (pairs: readonly (readonly [FieldSchema, FieldSchema])[], linkOptions: (field: FieldSchema, copyId: string) => Record<string, unknown>): FieldSchema[] => {
  const ids = new Map(pairs.map(([from, to]) => [from.id, to.id]));
  return pairs.map(([from, { computed, ...copy }]) => {
    if (isLink(copy)) return { ...copy, options: linkOptions(from, copy.id) };
    const tracked = trackedIn(copy.options);
    if (tracked.length > 0) return { ...copy, options: { ...copy.options, trackedFieldIds: tracked.map((id) => ids.get(id) ?? id) } };
    if (computed == null) return copy;
    const { cellValueType, isMultiple, state } = computed;
    return {
      ...copy,
      options: { ...copy.options, expression: withOtherIds(String(copy.options.expression), ids) },
      computed: { cellValueType, isMultiple, state: state === 'settling' ? 'settled' : state },
    };
  });
};
