// The records that a step of a plan may change, as a set: told from the records that the write changes, from those that earlier steps change, and from
// those whose links change.
import { type Sql, sql } from '../../db/sql.ts';
import { linkingTo } from '../cell/linked.sql.ts';
import type { SettlePlan, Step } from './plan.ts';

/** Where a statement has the ids: of a slot, and of an earlier step. Each as a select of `id`. */
export interface Ids {
  slot: (name: string) => Sql;
  step: (at: number) => Sql;
}

const bracketed = (ids: Sql): Sql => sql`(${ids})`;

export const affectedBy = ({ changed, relinked, stepOf }: SettlePlan, { dependents }: Step, ids: Ids): Sql => {
  const parts = new Map<string, Sql>();
  for (const { sources } of dependents) {
    for (const { fieldId, via } of sources) {
      const at = stepOf.get(fieldId);
      if (via === null) {
        if (at !== undefined && !dependents.some(({ field }) => field.id === fieldId))
          parts.set(`step ${at}`, ids.step(at));
        continue;
      }
      if (changed.has(fieldId)) parts.set(`own via ${via.field.id}`, linkingTo(via, bracketed(ids.slot('own'))));
      if (at !== undefined) parts.set(`step ${at} via ${via.field.id}`, linkingTo(via, bracketed(ids.step(at))));
      for (const { linked, slot } of relinked)
        if (linked.field.id === via.field.id) parts.set(`slot ${slot}`, ids.slot(slot));
    }
  }
  return sql.join([...parts.values()], ' union ');
};
