// A table that goes to the trash, comes back, or gets another name in the database, seen from the tables that links join to it: their plans name it, and what
// they compute through it is empty while it is away.
import {
  bumpQuietly,
  bumpVersion,
  limitWaiting,
  lockSchemasOf,
  selectBridges,
  selectNeighbours,
} from '../../catalog/table.sql.ts';
import { relatedTo } from '../../catalog/related.ts';
import { loadTable, type RelatedTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import type { Linked } from '../cell/linked.sql.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { linksAmong } from '../computed/graph.ts';
import { decideOld } from '../field/decide.ts';
import { cleanKeys } from '../field/link-field.ts';
import { settleLookups } from '../field/settle-lookups.ts';
import { settleRelated } from '../field/settle-related.ts';
import type { TablePath } from './find-table.ts';

/** The first step of a transaction, before any other lock. */
export const closeLinks = async (tx: Tx, baseId: string): Promise<void> => {
  await limitWaiting(tx);
  await closeGate(tx, baseId);
};

const othersOf = async (tx: Tx, { baseId, tableId }: TablePath): Promise<string[]> =>
  relatedTo(tableId, await selectBridges(tx, baseId)).filter((id) => id !== tableId);

/** Each once: those of a table, and those that lead to it without a field there. */
const linksWith = (table: TableSchema): Linked[] =>
  linksAmong(table).filter(({ own, foreign, symmetric, place }) =>
    own.id === table.id
      ? foreign.id !== table.id || place !== 'foreign'
      : foreign.id === table.id && symmetric === undefined,
  );

/** `work` takes it away, or brings it back. The gate is closed. Answers the ids of the other tables, whose snapshots are old then. */
export const aroundRelated = async (
  tx: Tx,
  context: Pick<Context, 'principal'>,
  path: TablePath,
  work: () => Promise<void>,
): Promise<string[]> => {
  const { baseId, tableId } = path;
  await decideOld(tx, baseId);
  const before = new Map<string, TableSchema>();
  const remember = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) if (!before.has(id)) before.set(id, await loadTable(tx, baseId, id));
  };
  const inSight = await othersOf(tx, path);
  await remember(inSight);
  // Those that are out of sight of each other now.
  await remember(await selectNeighbours(tx, baseId, tableId));
  const known = new Map<string, RelatedTable>([...before.values()].flatMap(({ related }) => [...related]));
  await work();
  const others = await othersOf(tx, path);
  await remember(others);
  const ids = [...before.keys()].toSorted();
  await lockSchemasOf(tx, baseId, [...ids, tableId]);
  const told = new Set(before.keys());
  const seen = new Set<string>();
  // Once for all that links join now, compared with all that there was: they may have been apart.
  for (const [id, was] of before) {
    if (seen.has(id)) continue;
    for (const one of await settleLookups(tx, { baseId, id })) told.add(one);
    const now = await loadTable(tx, baseId, id);
    for (const one of (await settleRelated(tx, { ...was, related: known }, now, {})).told) told.add(one);
    for (const one of now.related.keys()) seen.add(one);
  }
  if (inSight.length === 0 && others.length > 0) await cleanKeys(tx, linksWith(await loadTable(tx, baseId, tableId)));
  for (const id of told)
    if (id !== tableId) await bumpVersion(tx, baseId, id, { kind: 'schema', actor: context.principal.userId });
  await bumpQuietly(
    tx,
    baseId,
    ids.filter((id) => !told.has(id)),
  );
  return ids;
};
