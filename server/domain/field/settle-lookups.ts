// What is looked up follows what it shows, through all tables that links join: its type, its options, its column, and whether it can be computed at all.
import { invalid } from '@rowhouse/contract/error.ts';
import { loadTable, type FieldSchema, type TableSchema } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { cycleAmong, dependenciesOf } from '../computed/dependencies.ts';
import { faultOf } from '../computed/graph.ts';
import { keepConditionIndexes } from './condition-index.sql.ts';
import { updateComputed } from './field.sql.ts';
import { outdatedLookups } from './lookup-field.ts';
import { remakeColumn } from './remake-column.ts';
import { settleFormulas } from './settle-formulas.ts';
import { updateReferences } from './view-reference.sql.ts';
import { fitView } from './view-reference.ts';

/** Each step may reach one table further; more than these would be a circle, which is refused elsewhere. */
const mostRounds = 40;

/** Answers the ids of the tables whose fields changed. `known`: the table as it is now, for those who have just read it. */
export const settleLookups = async (
  tx: Tx,
  table: Pick<TableSchema, 'id' | 'baseId'>,
  known?: TableSchema,
): Promise<Set<string>> => {
  const changed = new Set<string>();
  for (let round = 0; round < mostRounds; round += 1) {
    const present = round === 0 && known !== undefined ? known : await loadTable(tx, table.baseId, table.id);
    if (![...present.related.values()].some(({ fields }) => fields.some(isLookedUp))) return changed;
    const circle = cycleAmong(dependenciesOf(present));
    const fault = circle === undefined ? faultOf(present) : `A field would need itself: ${circle.join(' → ')}`;
    if (fault !== undefined)
      throw invalid({
        path: 'lookupOptions',
        message: fault,
        expected: 'fields that do not depend on each other in a circle',
      });
    const other = [...present.related.values()].find((one) => outdatedLookups(one).length > 0);
    if (other === undefined) {
      await keepConditionIndexes(tx, present);
      return changed;
    }
    const before = await loadTable(tx, table.baseId, other.id);
    for (const field of outdatedLookups(other)) {
      await remakeColumn(tx, before, before.byId.get(field.id) as FieldSchema, field);
      await updateComputed(tx, field);
    }
    const after = await loadTable(tx, table.baseId, other.id);
    await settleFormulas(tx, before, after);
    await updateReferences(
      tx,
      after.views.map((view) => fitView(view, after.byId)),
      after.views,
    );
    changed.add(other.id);
  }
  throw new Error('what is looked up does not come to rest');
};
