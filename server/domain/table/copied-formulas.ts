import type { FieldSchema } from '../../catalog/table.ts';
import { withOtherIds } from '../formula/references.ts';

/** The copies, with formulas that name the copies. A copied table is filled at once. */
export const copiedFormulas = (pairs: readonly (readonly [FieldSchema, FieldSchema])[]): FieldSchema[] => {
  const ids = new Map(pairs.map(([from, to]) => [from.id, to.id]));
  return pairs.map(([, { computed, ...copy }]) => {
    if (computed == null) return copy;
    const { cellValueType, isMultiple, state } = computed;
    return {
      ...copy,
      options: { ...copy.options, expression: withOtherIds(String(copy.options.expression), ids) },
      computed: { cellValueType, isMultiple, state: state === 'settling' ? 'settled' : state },
    };
  });
};
