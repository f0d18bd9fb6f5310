// The one writer of rowhouse.public_files.
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { FileFacts } from './file.ts';

const facts = sql`f.token, f.size, f.mimetype, f.name, f.width, f.height`;

export const insertPublicFile = async (db: Queryable, ownerId: string, token: string): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.public_files (owner_id, token) values (${ownerId}, ${token}) on conflict do nothing`,
  );
};

export const deletePublicFiles = async (db: Queryable, ownerId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.public_files where owner_id = ${ownerId}`);
};

/** Keeps it from being removed until the transaction ends. */
export const holdFile = (db: Queryable, token: string): Promise<FileFacts | undefined> =>
  maybe<FileFacts>(
    db,
    sql`select ${facts} from rowhouse.files f where f.token = ${token} and f.notified_time is not null and not f.is_leaving for key share`,
  );

export const selectPublicFiles = (db: Queryable, tokens: readonly string[]): Promise<FileFacts[]> =>
  many<FileFacts>(
    db,
    sql`select ${facts} from rowhouse.files f where f.token = any(${tokens}::text[]) and exists (select from rowhouse.public_files p where p.token = f.token)`,
  );

/** What its owner shows, who shows one. */
export const selectPublicToken = async (db: Queryable, ownerId: string): Promise<string | undefined> =>
  (await maybe<{ token: string }>(db, sql`select token from rowhouse.public_files where owner_id = ${ownerId} limit 1`))
    ?.token;
