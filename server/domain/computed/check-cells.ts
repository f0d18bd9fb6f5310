// Compares the cells of links, and of whatever is computed, with what they should be; and mends them.
import { relatedTo } from '../../catalog/related.ts';
import { selectBridges } from '../../catalog/table.sql.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { selectComputingBases, selectTableIds } from './check-cells.sql.ts';
import { mayDangle } from '../cell/linked.sql.ts';
import { closeGate } from './gate.sql.ts';
import { dropDangling, countDangling } from './edge.sql.ts';
import { graphOf, type DependentField, linksAmong } from './graph.ts';
import { stepsFor } from './plan.ts';
import { countWrong, refill } from './refill.sql.ts';

interface WrongCells {
  baseId: string;
  tableId: string;
  tableName: string;
  fieldIds: string[];
  fieldNames: string[];
  count: number;
}

/** One table of each group that links join; one that nothing is linked to is a group of its own. */
const groupsOf = async (db: Queryable, baseId: string): Promise<TableSchema[]> => {
  const bridges = await selectBridges(db, baseId);
  const seen = new Set<string>();
  const groups: TableSchema[] = [];
  for (const id of await selectTableIds(db, baseId)) {
    if (seen.has(id)) continue;
    for (const one of relatedTo(id, bridges)) seen.add(one);
    groups.push(await loadTable(db, baseId, id));
  }
  return groups;
};

/** Nobody reads its column before a job has filled it. */
const isRead = ({ field }: DependentField): boolean => field.computed?.state !== 'settling';

/** Cells that are not what follows from the rest, and keys that lead to no record. */
export const findWrongCells = async (db: Queryable, baseId: string): Promise<WrongCells[]> => {
  const wrong: WrongCells[] = [];
  const add = (
    table: { id: string; name: string },
    fields: readonly { id: string; name: string }[],
    count: number,
  ): void => {
    if (count > 0)
      wrong.push({
        baseId,
        tableId: table.id,
        tableName: table.name,
        fieldIds: fields.map(({ id }) => id),
        fieldNames: fields.map(({ name }) => name),
        count,
      });
  };
  for (const group of await groupsOf(db, baseId)) {
    const graph = graphOf(group);
    for (const linked of linksAmong(group))
      if (linked.place !== 'foreign' && !mayDangle(linked))
        add(linked.own, [linked.field], await countDangling(db, linked));
    for (const step of stepsFor(graph, new Set(graph.keys())))
      for (const dependent of step.dependents.filter(isRead))
        add(step.table, [dependent.field], await countWrong(db, { table: step.table, dependents: [dependent] }));
  }
  return wrong;
};

/** In a transaction that has closed the gate. */
export const mendCells = async (tx: Queryable, baseId: string): Promise<void> => {
  for (const group of await groupsOf(tx, baseId)) {
    for (const linked of linksAmong(group)) if (linked.place !== 'foreign') await dropDangling(tx, linked);
    await refill(tx, group, { changed: new Set(), unfilled: new Set(graphOf(group).keys()) });
  }
};

const mend = (db: Db, baseId: string): Promise<void> =>
  db.transaction(async (tx) => {
    await closeGate(tx, baseId);
    await mendCells(tx, baseId);
  });

/** Of all bases. With `repair` they are right afterwards. */
export const checkCells = async (db: Db, { repair }: { repair: boolean }): Promise<WrongCells[]> => {
  const wrong: WrongCells[] = [];
  for (const baseId of await selectComputingBases(db)) {
    const found = await findWrongCells(db, baseId);
    wrong.push(...found);
    if (repair && found.length > 0) await mend(db, baseId);
  }
  return wrong;
};
