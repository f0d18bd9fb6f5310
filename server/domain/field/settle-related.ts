// The end of a change of fields in tables that links join: what is computed from the changed fields, in any of them, is filled again.
import { isDeepStrictEqual } from 'node:util';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { formulasOf, reachedFrom } from '../cell/formula.sql.ts';
import { isLink } from '../cell/linked.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { demandComputable, graphOf, type Source } from '../computed/graph.ts';
import { stepsFor } from '../computed/plan.ts';
import { isLarge, lockTables, refill, type Refilling, toFill } from '../computed/refill.sql.ts';
import type { SchemaWork } from './change-schema.ts';
import { fillLater } from './fill-later.ts';

/** What its cells are, and how they are shown. */
const meaningOf = ({ type, options, computed }: FieldSchema): unknown => [
  type,
  options,
  computed?.cellValueType,
  computed?.isMultiple,
  computed?.state === 'broken',
];

const namesOf = (sources: readonly Source[] | undefined): unknown =>
  sources?.map(({ fieldId, via }) => [fieldId, via?.field.id ?? null]);

const isBroken = (field: FieldSchema | undefined): boolean => field?.computed?.state === 'broken';

const keysOf = ({ options: { foreignTableId, relationship, selfKeyName, foreignKeyName } }: FieldSchema): unknown => [
  foreignTableId,
  relationship,
  selfKeyName,
  foreignKeyName,
];

/** What of a field, beside the fields that it shows, says what its cells are. */
const termsOf = (field: FieldSchema | undefined): unknown =>
  field !== undefined && isLink(field)
    ? keysOf(field)
    : field === undefined || !isLookedUp(field)
      ? null
      : [field.lookupOptions?.filter ?? null, field.options.expression ?? null, field.computed];

/** Links and what is looked up: new, leading elsewhere, or out of sight from now on, in any of the tables. */
const movedLinks = (before: RelatedTable, after: RelatedTable): Set<string> => {
  const [was, now] = [graphOf(before), graphOf(after)];
  const moved = new Set<string>();
  for (const table of after.related.values()) {
    for (const field of table.fields.filter((one) => isLink(one) || isLookedUp(one))) {
      const known = before.related.get(table.id)?.byId.get(field.id);
      if (
        isBroken(known) !== isBroken(field) ||
        !isDeepStrictEqual(termsOf(known), termsOf(field)) ||
        !isDeepStrictEqual(namesOf(was.get(field.id)?.sources), namesOf(now.get(field.id)?.sources))
      )
        moved.add(field.id);
    }
  }
  return moved;
};

const isOther = (known: FieldSchema | undefined, field: FieldSchema): boolean =>
  known === undefined || !isDeepStrictEqual(meaningOf(known), meaningOf(field));

/** Fields whose cells may be others, and formulas over them, which may show them in another form: also in tables whose lookups followed the change. */
const changedFields = (before: RelatedTable, after: RelatedTable): Set<string> => {
  const changed = new Set<string>();
  for (const table of after.related.values()) {
    const was = table.id === after.id ? before : before.related.get(table.id);
    if (was === undefined) continue;
    const others = table.fields.filter(
      (field) =>
        isOther(was.byId.get(field.id), field) && !isLink(field) && (table.id === after.id || was.byId.has(field.id)),
    );
    for (const id of reachedFrom(
      formulasOf(table.fields),
      others.map(({ id: one }) => one),
    ))
      changed.add(id);
  }
  return changed;
};

interface Related {
  /** Ids of other tables that have something to tell. */
  told: string[];
  hasJob: boolean;
}

/** In large tables, and where it rests on what a job is at, it is left to a job. */
const fill = async (
  tx: Tx,
  after: RelatedTable,
  refilling: Refilling,
): Promise<{ tableIds: Iterable<string>; hasJob: boolean }> => {
  const graph = graphOf(after);
  const steps = stepsFor(graph, toFill(graph, refilling));
  const dependents = steps.flatMap((step) => step.dependents);
  const fields = dependents.map(({ field }) => field);
  // What a job is at is read by expressions, each of which may look at very many records.
  const restsOnJob = dependents.some(({ sources }) =>
    sources.some(({ fieldId }) => graph.get(fieldId)?.field.computed?.state === 'settling'),
  );
  if (!restsOnJob && !(await isLarge(tx, steps)))
    return { tableIds: await refill(tx, after, refilling), hasJob: false };
  // Those who planned before are through with what they write.
  await lockTables(tx, [...after.related.values()]);
  await fillLater(tx, after, new Set(fields.map(({ id }) => id)));
  return { tableIds: steps.map(({ table }) => table.id), hasJob: true };
};

export const settleRelated = async (
  tx: Tx,
  before: RelatedTable,
  after: RelatedTable,
  { others = [], filled }: SchemaWork,
): Promise<Related> => {
  demandComputable(after);
  const { tableIds, hasJob } = await fill(tx, after, {
    changed: changedFields(before, after),
    unfilled: movedLinks(before, after),
    filled,
  });
  return {
    told: [...new Set([...others, ...tableIds])].filter((id) => id !== after.id && after.related.has(id)),
    hasJob,
  };
};
