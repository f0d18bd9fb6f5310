// The one writer of rowhouse.files and rowhouse.file_uses.
import { isBoundIn } from '../../catalog/matrix.sql.ts';
import { hasScope, type Principal } from '../../catalog/principal.ts';
import { hasRoleOn } from '../../catalog/role.sql.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { fileBytes } from '../plan/usage.sql.ts';
import { type FileOwner, waitingRows } from './arrival.sql.ts';
import type { FileFacts } from './file.ts';

interface NewFile {
  token: string;
  type: number;
  size: number;
  mimetype: string;
  name: string | null;
  spaceId: string | null;
  createdBy: string;
  /** Seconds within which its upload may begin. */
  seconds: number;
  /** The form through which a visitor announces it. */
  viewId?: string;
  /** Its client has an address of the bucket. */
  isDirect?: boolean;
  /** Its bytes have arrived. */
  isUploaded?: boolean;
  /** The job whose result it is. */
  jobId?: string;
}

export interface StoredFile extends FileFacts {
  type: number;
  isExpired: boolean;
  /** Its bytes have arrived, and count. */
  isUploaded: boolean;
  isNotified: boolean;
  createdBy: string;
  owner: FileOwner;
  /** The job whose result it is: that job says who may read it. */
  jobId: string | null;
}

const facts = sql`f.token, f.size, f.mimetype, f.name, f.width, f.height`;

export const insertFile = async (
  db: Queryable,
  { token, type, size, mimetype, name, spaceId, createdBy, seconds, viewId, jobId, isDirect, isUploaded }: NewFile,
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.files (token, type, size, mimetype, name, space_id, created_by, expires_time, view_id, job_id, is_waiting, is_direct, uploaded_time)
        values (${token}, ${type}, ${size}, ${mimetype}, ${name}, ${spaceId}, ${createdBy}, now() + make_interval(secs => ${seconds}), ${viewId ?? null}, ${jobId ?? null},
                ${jobId === undefined}, ${isDirect === true}, ${isUploaded === true ? sql`clock_timestamp()` : sql`null`})`,
  );
};

export const selectFile = (db: Queryable, token: string): Promise<StoredFile | undefined> =>
  maybe<StoredFile>(
    db,
    sql`select ${facts}, f.type, f.expires_time < now() as "isExpired", f.uploaded_time is not null as "isUploaded", f.notified_time is not null as "isNotified", f.created_by as "createdBy", f.job_id as "jobId",
          json_build_object('userId', f.created_by, 'spaceId', f.space_id, 'viewId', f.view_id) as owner from rowhouse.files f where f.token = ${token} and not f.is_leaving`,
  );

/** It is there as a whole. The first name and form that are told stay. */
export const noteFile = (
  db: Queryable,
  token: string,
  told: Pick<FileFacts, 'name' | 'width' | 'height' | 'size'> & { isUnmeasured: boolean },
): Promise<FileFacts | undefined> =>
  maybe<FileFacts>(
    db,
    sql`update rowhouse.files f
        set notified_time = coalesce(f.notified_time, clock_timestamp()), uploaded_time = coalesce(f.uploaded_time, clock_timestamp()), name = coalesce(f.name, ${told.name}), size = ${told.size}, width = coalesce(f.width, ${told.width}::int), height = coalesce(f.height, ${told.height}::int),
            is_unmeasured = ${told.isUnmeasured}
        where f.token = ${token} and not f.is_leaving returning ${facts}`,
  );

/** From now on new cells have its size. */
export const noteForm = async (
  db: Queryable,
  token: string,
  { width, height }: { width: number; height: number },
): Promise<void> => {
  await db.query(sql`update rowhouse.files set width = ${width}, height = ${height} where token = ${token}`);
};

export const noteMeasured = async (db: Queryable, tokens: readonly string[]): Promise<void> => {
  await db.query(sql`update rowhouse.files set is_unmeasured = false where token = any(${tokens}::text[])`);
};

/** Those that cells may mention. */
export const selectFiles = (db: Queryable, tokens: readonly string[]): Promise<FileFacts[]> =>
  many<FileFacts>(
    db,
    sql`select ${facts} from rowhouse.files f where f.token = any(${tokens}::text[]) and f.notified_time is not null and not f.is_leaving`,
  );

/** Who names files: by their own rights, and through the form of a share, if they fill one in. */
interface Asker {
  principal: Principal;
  formViewId?: string | undefined;
}

/**
 * Knowing a token gives no right to its file. While no base uses it, it is for the person who uploaded it, or for answers to the form that it was
 * announced through. As soon as bases use it, it is for those who may read records in one of them, and for the uploader while they have a role there; whom rules
 * bind in a base may use what they uploaded. What they see in cells besides is decided with the cells.
 * The results of jobs are named by nobody: `demandResult` decides about them.
 */
const isSeenBy = ({ principal, formViewId }: Asker): Sql => {
  const { userId, reach } = principal;
  const within =
    reach === null
      ? sql.empty
      : sql`and (b.id = any(${[...reach.baseIds]}::text[]) or b.space_id = any(${[...reach.spaceIds]}::text[]))`;
  const reading = hasScope(principal, 'record|read') ? sql.empty : sql`and f.created_by = ${userId}`;
  const throughForm = formViewId === undefined ? sql.empty : sql`or f.view_id = ${formViewId}`;
  return sql`f.job_id is null and (exists (select from rowhouse.public_files p where p.token = f.token)
    or case when exists (select from rowhouse.file_uses u where u.token = f.token)
         then exists (select from rowhouse.file_uses u join rowhouse.bases b on b.id = u.base_id and b.deleted_time is null join rowhouse.spaces s on s.id = b.space_id and s.deleted_time is null
                      where u.token = f.token and ${hasRoleOn(sql`${userId}`, sql`b.id, b.space_id`)} ${within} ${reading}
                        and (f.created_by = ${userId} or not ${isBoundIn(sql`${userId}`, { baseId: sql`b.id`, spaceId: sql`b.space_id` })})
                        and (not s.demands_second_factor or exists (select from rowhouse.users me where me.id = ${userId} and me.second_factor_time is not null)))
         else (f.view_id is null and f.created_by = ${userId}) ${throughForm} end)`;
};

/** Those of them that this caller may put into cells: anyone who sees the cell gets their addresses. */
export const selectSeenFiles = (db: Queryable, tokens: readonly string[], asker: Asker): Promise<FileFacts[]> =>
  many<FileFacts>(
    db,
    sql`select ${facts} from rowhouse.files f where f.token = any(${tokens}::text[]) and f.notified_time is not null and not f.is_leaving and ${isSeenBy(asker)}`,
  );

/** Which of them cells of the base mention, or have mentioned. */
export const selectUsed = async (db: Queryable, baseId: string, tokens: readonly string[]): Promise<string[]> =>
  (
    await many<{ token: string }>(
      db,
      sql`select token from rowhouse.file_uses where base_id = ${baseId} and token = any(${tokens}::text[])`,
    )
  ).map(({ token }) => token);

/** Cells of a base are written with these. Answers how many of them are there, and how many the base had not mentioned before. */
export const upsertUses = async (
  tx: Queryable,
  baseId: string,
  tokens: readonly string[],
): Promise<{ found: number; added: number }> =>
  one<{ found: number; added: number }>(
    tx,
    sql`with known as materialized (
          select token from rowhouse.files where token = any(${tokens}::text[]) and notified_time is not null and not is_leaving order by token for key share
        ), used as (
          insert into rowhouse.file_uses (base_id, token) select ${baseId}, token from known order by token
          on conflict (base_id, token) do update set used_time = clock_timestamp()
          returning xmax = 0 as is_new
        )
        select count(*) as found, count(*) filter (where is_new) as added from used`,
  );

/** Of the files that the bases of a space mention, of those that were uploaded for it and are in no record yet, and of what is on its way there. */
export const selectTakenBytes = async (db: Queryable, spaceId: string): Promise<number> => {
  const space = sql`${spaceId}`;
  const row = await one<{ bytes: number }>(
    db,
    sql`select ${fileBytes(space)} + (select coalesce(sum(bytes), 0)::bigint from (${waitingRows}) waiting where space_id = ${space}) as bytes`,
  );
  return Number(row.bytes);
};

/** Of the results of jobs that are kept for the space. */
export const selectResultBytes = async (db: Queryable, spaceId: string): Promise<number> =>
  Number(
    (
      await one<{ bytes: number }>(
        db,
        sql`select coalesce(sum(f.size), 0)::bigint as bytes from rowhouse.files f where f.space_id = ${spaceId} and f.job_id is not null and not f.is_leaving`,
      )
    ).bytes,
  );

/** Those that this person had made of the same thing before. */
export const dropResults = async (db: Queryable, userId: string, placeId: string): Promise<void> => {
  await db.query(
    sql`update rowhouse.files f set is_leaving = true from rowhouse.jobs j where f.created_by = ${userId} and j.id = f.job_id and j.needed_right ->> 'id' = ${placeId}`,
  );
};

/** Until the end of the transaction nobody else takes room for files in the space. */
export const lockFileRoom = async (tx: Queryable, spaceId: string): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('rowhouse files ' || ${spaceId}::text, 0))`);
};

/** Jobs read their file again after each pause; one that has failed can be continued for a day. */
const neededByJob = sql`select j.payload ->> 'token' from rowhouse.jobs j
  where j.payload ->> 'token' like 'att%' and (j.state in ('waiting', 'running') or (j.state in ('failed', 'cancelled') and j.finished_time > now() - interval '1 day'))`;

/**
 * Files that nobody mentions: those that wait for a record for longer than `minutes`, and those that were mentioned once, or are results of jobs, after a day.
 * From now on nobody can mention them. While an upload can still begin, or is under way, the file stays; in a bucket the last one may end later.
 */
export const markLeaving = (db: Queryable, minutes: number, limit: number): Promise<{ token: string }[]> => {
  const isUnused = (token: Sql): Sql =>
    sql`not exists (select from rowhouse.file_uses u where u.token = ${token}) and not exists (select from rowhouse.public_files p where p.token = ${token})`;
  const life = sql`make_interval(mins => ${minutes})`;
  return many<{ token: string }>(
    db,
    sql`update rowhouse.files f set is_leaving = true
        where f.token in (
          select token from rowhouse.files where is_leaving or (
            case when is_waiting then greatest(created_time, uploaded_time, notified_time) < now() - ${life} and (uploaded_time is not null or expires_time < now())
                 else created_time < now() - interval '1 day' and expires_time < now() and (notified_time is null or notified_time < now() - interval '1 day') end
            and (not is_direct or expires_time < now() - interval '1 hour')
            and ${isUnused(sql`files.token`)} and not exists (select from rowhouse.file_arrivals a where a.token = files.token)
            and token not in (${neededByJob}))
          limit ${limit} for update skip locked)
        and ${isUnused(sql`f.token`)}
        returning f.token`,
  );
};

/** Its bytes could not be stored: it goes with the next that are removed. */
export const dropFile = async (db: Queryable, token: string): Promise<void> => {
  await db.query(sql`update rowhouse.files set is_leaving = true where token = ${token}`);
};

export const deleteFiles = async (db: Queryable, tokens: readonly string[]): Promise<void> => {
  await db.query(sql`delete from rowhouse.files where token = any(${tokens}::text[]) and is_leaving`);
};

export const hasFiles = async (db: Queryable, baseId: string): Promise<boolean> =>
  (
    await one<{ has: boolean }>(
      db,
      sql`select exists (select from rowhouse.file_uses where base_id = ${baseId}) as has`,
    )
  ).has;
