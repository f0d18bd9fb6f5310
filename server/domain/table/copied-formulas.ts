import type { ComputedState, FieldSchema } from '../../catalog/table.ts';
import { isLink } from '../cell/linked.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { trackedIn } from '../cell/type/system.ts';
import { withOtherIds } from '../formula/references.ts';

/** What names tables and fields, by their other ids. */
const otherIds = <T extends object>(value: T, ids: ReadonlyMap<string, string>): T =>
  JSON.parse(JSON.stringify(value).replace(/(tbl|fld)[0-9A-Za-z]{16}/g, (id) => ids.get(id) ?? id)) as T;

/** A copied table is filled at once. */
const filled = (computed: ComputedState | null | undefined): ComputedState | null =>
  computed == null
    ? null
    : {
        cellValueType: computed.cellValueType,
        isMultiple: computed.isMultiple,
        state: computed.state === 'settling' ? 'settled' : computed.state,
      };

/** The copies, with formulas that name the copies, and so do fields that tell of the changes of others. */
export const copiedFormulas = (
  pairs: readonly (readonly [FieldSchema, FieldSchema])[],
  linkOptions: (field: FieldSchema, copyId: string) => Record<string, unknown>,
  others?: ReadonlyMap<string, string>,
): FieldSchema[] => {
  const ids = new Map(pairs.map(([from, to]) => [from.id, to.id]));
  return pairs.map(([from, { computed, ...copy }]) => {
    if (isLink(copy)) return { ...copy, options: linkOptions(from, copy.id) };
    if (isLookedUp(copy))
      return {
        ...copy,
        ...otherIds({ options: copy.options, lookupOptions: copy.lookupOptions ?? null }, others ?? ids),
        computed: filled(computed),
      };
    // Which automation it starts is said by that, and about the original.
    if (fieldTypeOf(copy).isOnlyKept === true)
      return { ...copy, ...otherIds({ options: { ...copy.options, workflow: undefined } }, ids) };
    const tracked = trackedIn(copy.options);
    if (tracked.length > 0)
      return { ...copy, options: { ...copy.options, trackedFieldIds: tracked.map((id) => ids.get(id) ?? id) } };
    if (computed == null) return copy;
    return {
      ...copy,
      options: { ...copy.options, expression: withOtherIds(String(copy.options.expression), ids) },
      computed: filled(computed),
    };
  });
};
