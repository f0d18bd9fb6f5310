// Indexes for what is asked again and again beside the views. Which columns a wish means now, and whether an index on them is possible, is worked out each time.
// See docs/adr/0210-indexes-for-what-is-asked-again.md.
import type { TableSchema } from '../../catalog/table.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { filterKey } from './filter.sql.ts';
import { groupLevel } from './group-key.sql.ts';
import { numberKey, type SortKey, sortKey } from './sort-key.sql.ts';
import { filteredKey, named, usable, type ViewIndex } from './view-index.ts';
import type { IndexKey, IndexWish } from './wish.ts';

const keysFor = (table: TableSchema, { fieldId, as, order }: IndexKey): SortKey[] => {
  const field = table.byId.get(fieldId);
  if (field === undefined) return [];
  if (as === 'group') return groupLevel(field, order, undefined).keys;
  if (as === 'sort') return [sortKey(field, order, undefined)];
  const expression = filterKey(field);
  return expression === null ? [] : [filteredKey(field, expression)];
};

/** The index that serves a wish with the fields as they are now; undefined where none can, or none is needed. */
export const wishedIndex = (table: TableSchema, wish: IndexWish): ViewIndex | undefined => {
  const keys: SortKey[] = [];
  for (const key of wish) {
    const own = keysFor(table, key);
    if (own.length === 0) break;
    keys.push(...own);
    const field = table.byId.get(key.fieldId);
    // Behind a key that no two records share nothing matters. Alone it has an index already.
    if (field !== undefined && fieldTypeOf(field).isIdentity === true) {
      return keys.length === own.length || usable(keys, table).length < keys.length ? undefined : named(table, keys);
    }
  }
  const fit = usable(keys, table);
  return fit.length === 0 ? undefined : named(table, fit.length < keys.length ? fit : [...fit, numberKey(undefined)]);
};
