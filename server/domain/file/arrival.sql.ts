// The one writer of rowhouse.file_arrivals, and what counts as waiting: files that were uploaded and are in no record yet, and bytes on their way.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** Who is asked for room. Without a space and without a form it is the account alone. */
export interface FileOwner {
  userId: string;
  spaceId: string | null;
  /** The form of a visitor. */
  viewId: string | null;
}

/** Rows of bytes with the owner they count for. */
export const waitingRows = sql`select f.space_id, f.view_id, f.created_by, f.size as bytes from rowhouse.files f
      where f.is_waiting and f.uploaded_time is not null and not f.is_leaving
        and not exists (select from rowhouse.file_uses u where u.token = f.token) and not exists (select from rowhouse.public_files p where p.token = f.token)
      union all
      select space_id, view_id, created_by, bytes from rowhouse.file_arrivals where ends_time > now()`;

interface WaitingBytes {
  form: number;
  forms: number;
  account: number;
  space: number;
  instance: number;
}

export const selectWaitingBytes = (db: Queryable, { userId, spaceId, viewId }: FileOwner): Promise<WaitingBytes> => {
  const sumOf = (which: Sql): Sql => sql`coalesce(sum(bytes) filter (where ${which}), 0)::bigint`;
  return one<WaitingBytes>(
    db,
    sql`select ${sumOf(sql`view_id = ${viewId}`)} as form, ${sumOf(sql`view_id is not null`)} as forms,
               ${sumOf(sql`view_id is null and created_by = ${userId}`)} as account, ${sumOf(sql`space_id = ${spaceId}`)} as space,
               coalesce(sum(bytes), 0)::bigint as instance
        from (${waitingRows}) waiting`,
  );
};

/** What an account has announced within this time, whether its bytes came or not, and what it has uploaded. */
export const selectAnnouncedBytes = async (db: Queryable, userId: string, minutes: number): Promise<number> =>
  (
    await one<{ bytes: number }>(
      db,
      sql`select coalesce(sum(f.size), 0)::bigint as bytes from rowhouse.files f
          where f.is_waiting and f.created_by = ${userId} and f.view_id is null and not f.is_leaving
            and (f.uploaded_time is not null or f.created_time > now() - make_interval(mins => ${minutes}))
            and not exists (select from rowhouse.file_uses u where u.token = f.token)`,
    )
  ).bytes;

/** Until the end of the transaction nobody else is given room for bytes. Taken behind the lock of a space, never before it. */
export const lockWaiting = async (tx: Queryable): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('rowhouse waiting files', 0))`);
};

export const upsertArrival = async (
  tx: Queryable,
  id: string,
  { userId, spaceId, viewId }: FileOwner,
  token: string | null,
  bytes: number,
  seconds: number,
): Promise<void> => {
  await tx.query(
    sql`insert into rowhouse.file_arrivals (id, space_id, view_id, created_by, token, bytes, ends_time) values (${id}, ${spaceId}, ${viewId}, ${userId}, ${token}, ${bytes}, clock_timestamp() + make_interval(secs => ${seconds}))
        on conflict (id) do update set bytes = excluded.bytes, ends_time = excluded.ends_time`,
  );
};

export const deleteArrival = async (db: Queryable, id: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.file_arrivals where id = ${id}`);
};

/** The bytes on their way become those of the file: one statement, so the total never changes. */
export const noteUploaded = async (db: Queryable, token: string, arrivalId: string | null): Promise<void> => {
  await db.query(
    sql`with arrived as (delete from rowhouse.file_arrivals where id = ${arrivalId})
        update rowhouse.files set uploaded_time = coalesce(uploaded_time, clock_timestamp()) where token = ${token}`,
  );
};

/** Until the end of the transaction nobody counts the file; false when somebody has, or when it is gone. Taken before the locks of `demandRoom`. */
export const lockUncounted = async (tx: Queryable, token: string): Promise<boolean> =>
  (await maybe(tx, sql`select 1 from rowhouse.files where token = ${token} and uploaded_time is null for update`)) !==
  undefined;

export const deleteDeadArrivals = async (db: Queryable): Promise<void> => {
  await db.query(sql`delete from rowhouse.file_arrivals where ends_time < now()`);
};

/** Files that a record or a picture mentions by now do not wait. */
export const clearWaiting = async (db: Queryable): Promise<void> => {
  await db.query(
    sql`update rowhouse.files f set is_waiting = false
        where f.is_waiting and (exists (select from rowhouse.file_uses u where u.token = f.token) or exists (select from rowhouse.public_files p where p.token = f.token))`,
  );
};

/** Announced with an address of the bucket, and not known to be there. */
export const selectUnseenDirect = (db: Queryable, after: string, limit: number): Promise<{ token: string }[]> =>
  many(
    db,
    sql`select token from rowhouse.files where is_direct and is_waiting and uploaded_time is null and not is_leaving and token > ${after} order by token limit ${limit}`,
  );

/** Their addresses take nothing any more, an hour after the last upload may have begun. */
export const selectEndedDirect = (db: Queryable, limit: number): Promise<{ token: string }[]> =>
  many(
    db,
    sql`select token from rowhouse.files where is_direct and expires_time < now() - interval '1 hour' limit ${limit}`,
  );

export const clearDirect = async (db: Queryable, tokens: readonly string[]): Promise<void> => {
  await db.query(sql`update rowhouse.files set is_direct = false where token = any(${tokens}::text[])`);
};
