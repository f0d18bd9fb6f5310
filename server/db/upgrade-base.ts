// Brings the schemas of bases to the newest version: each when it is first used, all of them by `rowhouse migrate`. Ten
// thousand bases cost a start nothing. Anyone who looks up where a base or table stands reads its version in the same
// statement, so that a base of the newest version costs nothing either. See docs/adr/0016-base-versions.md.
import { baseSteps, newestBaseVersion } from './base-migrations/steps.ts';
import { type Db, many, maybe, type Queryable, type Tx } from './db.ts';
import { sql } from './sql.ts';

/** One step; answers the version that it led to, undefined when there was nothing to do. Others that want the same wait for the row, and find it done. */
const takeStep = async (tx: Queryable, baseId: string): Promise<number | undefined> => {
  const found = await maybe<{ version: number }>(
    tx,
    sql`select schema_version as version from rowhouse.bases where id = ${baseId} for no key update`,
  );
  const step = found === undefined ? undefined : baseSteps[found.version];
  if (found === undefined || step === undefined) return undefined;
  await step(tx, baseId);
  await tx.query(sql`update rowhouse.bases set schema_version = ${found.version + 1} where id = ${baseId}`);
  return found.version + 1;
};

/** Inside of a transaction that goes on: restoring a base, or work on one that is named by the body of a request. */
export const upgradeBaseIn = async (tx: Tx, baseId: string): Promise<void> => {
  while ((await takeStep(tx, baseId)) !== undefined);
};

/** Upgrades that are under way in this process, per database: many who come at once take one connection, not one each. */
const running = new WeakMap<object, Map<string, Promise<void>>>();

const takeSteps = async (db: Db, baseId: string): Promise<void> => {
  const step = (): Promise<number | undefined> =>
    db.transaction(async (tx) => {
      // As long as it takes: half of a step is none.
      await tx.query(sql`set local statement_timeout = 0`);
      return takeStep(tx, baseId);
    });
  while ((await step()) !== undefined);
};

const upgradeBase = (db: Db, baseId: string): Promise<void> => {
  const known = running.get(db.identity) ?? new Map<string, Promise<void>>();
  running.set(db.identity, known);
  const upgrade = known.get(baseId) ?? takeSteps(db, baseId).finally(() => known.delete(baseId));
  known.set(baseId, upgrade);
  return upgrade;
};

/** For those who have just read the version. Newer than this program knows is fine: another, newer one runs beside it. */
export const demandNewest = async (db: Db | Tx, baseId: string, version: number): Promise<void> => {
  if (version >= newestBaseVersion) return;
  await (db.kind === 'pool' ? upgradeBase(db, baseId) : upgradeBaseIn(db, baseId));
};

const pageSize = 100;

interface Upgraded {
  count: number;
  /** Bases that could not be upgraded now, and why. */
  failed: { baseId: string; error: Error }[];
}

/** All that are older. One that fails, as while a backup copies it, is left for its first use, and the others go on. */
export const upgradeAllBases = async (db: Db): Promise<Upgraded> => {
  const upgraded: Upgraded = { count: 0, failed: [] };
  for (let after = ''; ; ) {
    const page = await many<{ id: string }>(
      db,
      sql`select id from rowhouse.bases where id > ${after} and schema_version < ${newestBaseVersion} order by id limit ${pageSize}`,
    );
    for (const { id } of page) {
      const error = await upgradeBase(db, id).then(
        () => undefined,
        (failure: Error) => failure,
      );
      if (error === undefined) upgraded.count += 1;
      else upgraded.failed.push({ baseId: id, error });
    }
    const last = page.at(-1);
    if (last === undefined) return upgraded;
    after = last.id;
  }
};

export const countOldBases = async (db: Queryable): Promise<number> =>
  (
    await many<{ count: number }>(
      db,
      sql`select count(*)::int as count from rowhouse.bases where schema_version < ${newestBaseVersion}`,
    )
  )[0]?.count ?? 0;
