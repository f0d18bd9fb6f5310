// When what a share rests on is written down: when somebody shares a view or saves the settings of its share, and for what it shows since.
import { isDeepStrictEqual } from 'node:util';
import { loadTable, type TableSchema, type ViewSchema } from '../../catalog/table.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { decisionOf, isHeld, limitsNamedBy, withNew } from './decision.ts';
import {
  insertDecision,
  selectLimitViews,
  selectShared,
  selectUndecided,
  type SharedView,
  updateDecision,
} from './decision.sql.ts';
import { shownFields } from '../../catalog/shown-fields.ts';

/** Somebody has seen what the share shows, and wants it so. */
export const decide = async (tx: Tx, view: ViewSchema, table: TableSchema, isWhole: boolean): Promise<void> =>
  updateDecision(tx, view.id, decisionOf(view, table, await selectLimitViews(tx, limitsNamedBy(view, table)), isWhole));

const sharedOf = async (db: Queryable, { views }: TableSchema): Promise<(SharedView & { view: ViewSchema })[]> =>
  (
    await selectShared(
      db,
      views.map(({ id }) => id),
    )
  ).flatMap((one) => views.filter(({ id }) => id === one.viewId).map((view) => ({ ...one, view })));

/** The first step of every change that what a share rests on may follow: what was shared before there were decisions was decided as it is. */
export const decideOld = async (tx: Tx, baseId: string): Promise<void> => {
  for (const tableId of await selectUndecided(tx, baseId)) {
    const table = await loadTable(tx, baseId, tableId);
    for (const { view, isWhole } of await sharedOf(tx, table)) {
      if (view.decided == null)
        await insertDecision(
          tx,
          view.id,
          decisionOf(view, table, await selectLimitViews(tx, limitsNamedBy(view, table)), isWhole),
        );
    }
  }
};

/** The last step of a change of the table itself: what its shares show from now on was decided by it. `defined`: fields that somebody has defined again. Answers the table. */
export const decideNew = async (tx: Tx, table: TableSchema, defined: ReadonlySet<string>): Promise<TableSchema> => {
  const decisions = new Map<string, ViewSchema>();
  for (const { view, isWhole } of await sharedOf(tx, table)) {
    const shown = shownFields(view, table);
    const present = decisionOf(view, table, await selectLimitViews(tx, limitsNamedBy(view, table)), isWhole);
    const decided = withNew(
      view.decided ?? null,
      present,
      (id) => table.byId.has(id) && (isWhole || shown.has(id)),
      defined,
    );
    if (isDeepStrictEqual(decided, view.decided)) continue;
    await updateDecision(tx, view.id, decided);
    decisions.set(view.id, { ...view, decided });
  }
  return decisions.size === 0 ? table : { ...table, views: table.views.map((view) => decisions.get(view.id) ?? view) };
};

/** Ids of the views whose shares show nothing until somebody decides. */
export const selectHeld = async (db: Queryable, table: TableSchema): Promise<Set<string>> => {
  const held = new Set<string>();
  for (const { view, isWhole } of await sharedOf(db, table)) {
    if (isHeld(view, table, await selectLimitViews(db, limitsNamedBy(view, table)), isWhole)) held.add(view.id);
  }
  return held;
};
