// The one writer of rowhouse.followers. A follower is what must miss no change of a base: entries of the feed stay until it has taken them.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface Follower {
  id: string;
  kind: string;
  baseId: string;
  /** In whose turn it is taken along. */
  spaceId: string;
  /** The last entry of the feed that it has taken. */
  position: number;
}

const columns = sql`f.id, f.kind, f.base_id as "baseId", b.space_id as "spaceId", f.position`;
const withSpaces = sql`rowhouse.followers f join rowhouse.bases b on b.id = f.base_id`;

/** Anyone who gives out positions or removes entries holds this row, too. */
const lockFeed = (tx: Queryable, baseId: string): Promise<{ last: number }> =>
  one<{ last: number }>(tx, sql`select last from ${sql.id(baseId, '__feed')} for update`);

const selectOldest = async (tx: Queryable, baseId: string): Promise<number | undefined> =>
  (await maybe<{ seq: number }>(tx, sql`select seq from ${sql.id(baseId, '__feed_entry')} order by seq limit 1`))?.seq;

/** Follows from here on. Call `feedOperations` before: what was committed earlier is then not among what it is told. */
export const insertFollower = async (
  tx: Queryable,
  { id, kind, baseId }: Pick<Follower, 'id' | 'kind' | 'baseId'>,
): Promise<void> => {
  const { last } = await lockFeed(tx, baseId);
  await tx.query(
    sql`insert into rowhouse.followers (id, kind, base_id, position) values (${id}, ${kind}, ${baseId}, ${last})`,
  );
};

export const deleteFollower = async (tx: Queryable, id: string): Promise<void> => {
  await tx.query(sql`delete from rowhouse.followers where id = ${id}`);
};

/** False when it was paused already, or is gone. */
export const pauseFollower = async (tx: Queryable, id: string): Promise<boolean> =>
  (
    await many(
      tx,
      sql`update rowhouse.followers set paused_time = now() where id = ${id} and paused_time is null returning id`,
    )
  ).length === 1;

/** Goes on where it stopped, or at the oldest entry that is still there. Answers how many entries it has missed. */
export const resumeFollower = async (
  tx: Queryable,
  { id, baseId }: Pick<Follower, 'id' | 'baseId'>,
): Promise<number> => {
  const { last } = await lockFeed(tx, baseId);
  const before = ((await selectOldest(tx, baseId)) ?? last + 1) - 1;
  const { missed } = await one<{ missed: number }>(
    tx,
    sql`with known as (select position from rowhouse.followers where id = ${id} for update)
        update rowhouse.followers f set paused_time = null, position = greatest(f.position, ${before}::bigint)
        from known where f.id = ${id} returning greatest(0, ${before}::bigint - known.position) as missed`,
  );
  return missed;
};

/** Undefined when it is gone or paused. */
export const selectFollower = (db: Queryable, id: string): Promise<Follower | undefined> =>
  maybe<Follower>(db, sql`select ${columns} from ${withSpaces} where f.id = ${id} and f.paused_time is null`);

/** The same, locked for the rest of the transaction. */
export const lockFollower = (tx: Queryable, id: string): Promise<Follower | undefined> =>
  maybe<Follower>(
    tx,
    sql`select ${columns} from ${withSpaces} where f.id = ${id} and f.paused_time is null for update of f`,
  );

export const moveFollower = async (tx: Queryable, id: string, position: number): Promise<void> => {
  await tx.query(sql`update rowhouse.followers set position = ${position} where id = ${id}`);
};

/** Those that are not paused, of some bases or of all. */
export const selectFollowers = (db: Queryable, baseIds: readonly string[] | null): Promise<Follower[]> =>
  many<Follower>(
    db,
    sql`select ${columns} from ${withSpaces} where f.paused_time is null and (${baseIds}::text[] is null or f.base_id = any(${baseIds}::text[])) order by f.base_id, f.id`,
  );

/** The entries behind it are still wanted. Null: nobody follows the base. */
export const selectSlowest = async (db: Queryable, baseId: string): Promise<number | null> =>
  (
    await one<{ position: number | null }>(
      db,
      sql`select min(position) as position from rowhouse.followers where base_id = ${baseId} and paused_time is null`,
    )
  ).position;

/** How far a follower is behind: entries, and the seconds since the first of them was entered. */
export const selectLag = (
  db: Queryable,
  { baseId, position }: Pick<Follower, 'baseId' | 'position'>,
): Promise<{ entries: number; seconds: number }> =>
  one<{ entries: number; seconds: number }>(
    db,
    sql`select f.last - ${position}::bigint as entries,
               coalesce((select extract(epoch from now() - e.time) from ${sql.id(baseId, '__feed_entry')} e where e.seq > ${position} order by e.seq limit 1), 0)::double precision as seconds
        from ${sql.id(baseId, '__feed')} f`,
  );
