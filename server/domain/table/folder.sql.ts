// The writer of rowhouse.folders.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface FolderRow {
  id: string;
  name: string;
  parentId: string | null;
  position: number;
}

export const selectFolders = (db: Queryable, baseId: string): Promise<FolderRow[]> =>
  many<FolderRow>(
    db,
    sql`select id, name, parent_id as "parentId", position from rowhouse.folders where base_id = ${baseId} order by position, id`,
  );

/** Addresses of folders that are shared. */
export const selectSharedFolders = async (db: Queryable, baseId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select share_id as id from rowhouse.base_shares where base_id = ${baseId} and folder_id is not null`,
    )
  ).map(({ id }) => id);

export const insertFolders = async (
  db: Queryable,
  baseId: string,
  folders: readonly FolderRow[],
  createdBy: string,
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.folders (id, base_id, parent_id, name, position, created_by)
        select n.id, ${baseId}, n."parentId", n.name, n.position, ${createdBy}
        from jsonb_to_recordset(${JSON.stringify(folders)}::jsonb) as n(id text, "parentId" text, name text, position double precision)`,
  );
};

export const updateFolderName = async (db: Queryable, folderId: string, name: string): Promise<void> => {
  await db.query(sql`update rowhouse.folders set name = ${name} where id = ${folderId}`);
};

export const placeFolders = async (
  db: Queryable,
  places: readonly { id: string; parentId: string | null; position: number }[],
): Promise<void> => {
  await db.query(
    sql`update rowhouse.folders f set position = n.position, parent_id = n."parentId"
        from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as n(id text, "parentId" text, position double precision) where f.id = n.id`,
  );
};

/** Tables of it that are in the trash come back to the folder around it. */
export const removeFolder = async (
  db: Queryable,
  { id, parentId }: Pick<FolderRow, 'id' | 'parentId'>,
): Promise<void> => {
  await db.query(sql`update rowhouse.tables set folder_id = ${parentId} where folder_id = ${id}`);
  await db.query(sql`delete from rowhouse.folders where id = ${id}`);
};
