// The writer of rowhouse.shares, rowhouse.share_visitors and rowhouse.share_answers; what comes back from the trash does so in view/deleted-view.sql.ts.
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import type { SpaceShare } from '@rowhouse/contract/share.ts';
import { epochSql } from '../../catalog/access.sql.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface OwnShare {
  shareId: string;
  isOn: boolean;
  meta: ShareMeta | null;
  passwordHash: string | null;
}

/** Of a view, for those who may change it. */
export const selectOwnShare = (db: Queryable, viewId: string): Promise<OwnShare | undefined> =>
  maybe<OwnShare>(
    db,
    sql`select share_id as "shareId", is_on as "isOn", meta, password_hash as "passwordHash" from rowhouse.shares where view_id = ${viewId} for update`,
  );

/** What it showed and allowed the last time holds again. */
export const upsertShare = async (
  db: Queryable,
  share: { viewId: string; shareId: string; meta: ShareMeta; userId: string },
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.shares as s (view_id, share_id, is_on, meta, created_by) values (${share.viewId}, ${share.shareId}, true, ${JSON.stringify(share.meta)}::jsonb, ${share.userId})
        on conflict (view_id) do update set share_id = excluded.share_id, is_on = true, meta = coalesce(s.meta, excluded.meta), created_by = excluded.created_by, created_time = clock_timestamp()`,
  );
};

export const updateShareId = async (db: Queryable, viewId: string, shareId: string): Promise<void> => {
  await db.query(sql`update rowhouse.shares set share_id = ${shareId} where view_id = ${viewId}`);
};

export const switchShareOff = async (db: Queryable, viewId: string): Promise<void> => {
  await db.query(sql`update rowhouse.shares set is_on = false where view_id = ${viewId}`);
};

/** Also of a view that is not shared yet: with an address that nobody knows. */
export const updateShareMeta = async (
  db: Queryable,
  share: { viewId: string; shareId: string; meta: ShareMeta; passwordHash: string | null; userId: string },
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.shares (view_id, share_id, is_on, meta, password_hash, created_by)
        values (${share.viewId}, ${share.shareId}, false, ${JSON.stringify(share.meta)}::jsonb, ${share.passwordHash}, ${share.userId})
        on conflict (view_id) do update set meta = excluded.meta, password_hash = excluded.password_hash`,
  );
};

export interface ShareRow {
  viewId: string;
  shareId: string;
  meta: ShareMeta | null;
  passwordHash: string | null;
  answerCount: number;
  tableId: string;
  baseId: string;
  spaceId: string;
  baseVersion: number;
  epoch: number;
  levels: string[] | null;
  bytes: number | null;
}

/** By its address, while it is on and its view is out of the trash. `userId`: as whom it is looked at; null for a visitor, who has the epoch of the share. */
export const selectShare = async (
  db: Queryable,
  shareId: string,
  userId: string | null,
): Promise<ShareRow | undefined> =>
  (
    await db.query<ShareRow>(
      sql`select s.view_id as "viewId", s.share_id as "shareId", s.meta, s.password_hash as "passwordHash", s.answer_count as "answerCount", t.id as "tableId", b.id as "baseId", p.id as "spaceId",
                 b.schema_version as "baseVersion", ${epochSql(sql`coalesce(${userId}::text, s.view_id)`, sql`p.id`)} as epoch,
                 (select array_agg(q.effective_level) from rowhouse.subscriptions q where q.space_id = p.id) as levels, d.bytes
          from rowhouse.shares s join rowhouse.views v on v.id = s.view_id
          join rowhouse.tables t on t.id = v.table_id and t.deleted_time is null
          join rowhouse.bases b on b.id = t.base_id and b.deleted_time is null
          join rowhouse.spaces p on p.id = b.space_id and p.deleted_time is null
          left join rowhouse.space_bytes d on d.space_id = p.id
          where s.share_id = ${shareId} and s.is_on`,
      { prepare: true },
    )
  )[0];

/** The first statement of a transaction that reads for long: all of it sees the same. */
export const takeSnapshot = async (tx: Queryable): Promise<void> => {
  await tx.query(sql`set transaction isolation level repeatable read, read only`);
};

/** Of one share so many at most are told apart. */
const mostVisitors = 10_000;

/** Waits for nobody: true when somebody holds the share, and the openings have to be added later. */
export const addOpenings = async (
  db: Queryable,
  viewId: string,
  count: number,
  visitors: readonly Buffer[],
): Promise<boolean> =>
  (
    await one<{ isLater: boolean }>(
      db,
      sql`with free as materialized (select view_id from rowhouse.shares where view_id = ${viewId} for update skip locked),
               counted as (update rowhouse.shares s set opened_count = opened_count + ${count}, last_opened_time = clock_timestamp() from free where s.view_id = free.view_id returning s.view_id),
               old as (delete from rowhouse.share_visitors v using counted where v.view_id = counted.view_id and v.last_time < now() - interval '90 days'),
               seen as (
                 insert into rowhouse.share_visitors (view_id, visitor)
                 select counted.view_id, given.visitor from counted cross join unnest(${visitors}::bytea[]) as given (visitor)
                 where (select count(*) from rowhouse.share_visitors where view_id = ${viewId}) < ${mostVisitors} order by given.visitor
                 on conflict (view_id, visitor) do update set last_time = clock_timestamp()
               )
          select not exists (select from counted) and exists (select from rowhouse.shares where view_id = ${viewId}) as "isLater"`,
    )
  ).isLater;

/** The settings by which an answer is taken. */
type AnswerTerms = Pick<ShareRow, 'meta' | 'passwordHash'>;

/**
 * Counts an answer of a form. The row stays locked until the transaction ends: the settings that it answers are those that hold when the answer is committed,
 * whatever it waited for. `full`: it takes no more. `gone`: the share has ended, or has another address.
 */
export const takeAnswer = async (
  db: Queryable,
  { viewId, shareId }: Pick<ShareRow, 'viewId' | 'shareId'>,
): Promise<AnswerTerms | 'full' | 'gone'> => {
  const row = await maybe<AnswerTerms & { isTaken: boolean }>(
    db,
    sql`with present as (select * from rowhouse.shares where view_id = ${viewId} and share_id = ${shareId} and is_on for no key update),
             taken as (update rowhouse.shares s set answer_count = s.answer_count + 1 from present p
                       where s.view_id = p.view_id and p.answer_count < coalesce((p.meta #>> '{submit,maxAnswers}')::bigint, p.answer_count + 1) returning 1)
        select p.meta, p.password_hash as "passwordHash", exists (select from taken) as "isTaken" from present p`,
  );
  return row === undefined ? 'gone' : row.isTaken ? { meta: row.meta, passwordHash: row.passwordHash } : 'full';
};

/** False: they have answered already. */
export const notePerson = async (db: Queryable, viewId: string, person: Buffer): Promise<boolean> =>
  (await maybe(
    db,
    sql`insert into rowhouse.share_answers (view_id, person) values (${viewId}, ${person}) on conflict do nothing returning 1 as one`,
  )) !== undefined;

export const selectSpaceShares = (db: Queryable, spaceId: string): Promise<Omit<SpaceShare, 'url'>[]> =>
  many(
    db,
    sql`select s.share_id as "shareId", v.id as "viewId", v.name as "viewName", v.type as "viewType", t.id as "tableId", t.name as "tableName", b.id as "baseId", b.name as "baseName",
               s.password_hash is not null as "hasPassword", s.meta ->> 'expiresTime' as "expiresTime", s.created_by as "createdBy", s.created_time as "createdTime",
               s.opened_count as "openedCount", s.last_opened_time as "lastOpenedTime", s.answer_count as "answerCount",
               (select count(*) from rowhouse.share_visitors i where i.view_id = s.view_id and i.last_time > now() - interval '90 days') as "visitorCount"
        from rowhouse.shares s join rowhouse.views v on v.id = s.view_id
        join rowhouse.tables t on t.id = v.table_id and t.deleted_time is null
        join rowhouse.bases b on b.id = t.base_id and b.deleted_time is null
        where b.space_id = ${spaceId} and s.is_on order by s.created_time desc, s.view_id limit 10000`,
  );

/** The view whose share it was. */
interface SharePlace {
  viewId: string;
  tableId: string;
  baseId: string;
}

export const findShareIn = (db: Queryable, spaceId: string, shareId: string): Promise<SharePlace | undefined> =>
  maybe<SharePlace>(
    db,
    sql`select v.id as "viewId", t.id as "tableId", b.id as "baseId" from rowhouse.shares s
        join rowhouse.views v on v.id = s.view_id join rowhouse.tables t on t.id = v.table_id join rowhouse.bases b on b.id = t.base_id
        where b.space_id = ${spaceId} and s.share_id = ${shareId} and s.is_on`,
  );

/** False: it has ended already, or has another address now. */
export const endShare = async (db: Queryable, shareId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.shares set is_on = false where share_id = ${shareId} and is_on returning 1 as one`,
  )) !== undefined;

/** Announced by a visitor and in no cell yet: of other files nobody learns an address here. */
export const isVisitorsFile = async (db: Queryable, token: string, viewId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select 1 as one from rowhouse.files f where f.token = ${token} and f.view_id = ${viewId} and not exists (select from rowhouse.file_uses u where u.token = f.token)`,
  )) !== undefined;
