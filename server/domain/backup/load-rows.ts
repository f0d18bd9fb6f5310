import { copyIn } from '../../db/copy.ts';
import type { Session } from '../../db/session.ts';
import { compile } from '../../db/sql.ts';
import type { Storage } from '../../stored-files.ts';
import { StartError } from '../../db/error.ts';
import type { ArchiveLimits } from './archive.ts';
import type { Manifest, TableData } from './manifest.ts';
import { readRows } from './open-backup.ts';
import { type Rename, renamedLines } from './rename.ts';
import { copyStatement, type QualifiedName } from './snapshot.sql.ts';

interface Target {
  storage: Storage | undefined;
  targetOf(table: TableData): QualifiedName;
  /** Other ids for those in the rows and columns. */
  rename: Rename | undefined;
  limits: ArchiveLimits;
}

/** Every row of the file goes where `targetOf` says, or it is an error; uploaded files go into the storage. */
export const loadRows = async (
  session: Session,
  path: string,
  { tables, files = [] }: Manifest,
  { storage, targetOf, rename, limits }: Target,
): Promise<void> => {
  const rows = readRows(path, limits);
  try {
    for (const [at, table] of tables.entries()) {
      const columns = rename === undefined ? table.columns : table.columns.map(rename);
      const { text } = compile(copyStatement(targetOf(table), columns, 'from stdin'));
      const parts = rows.partsOf(at, table);
      const count = await copyIn(
        session.client,
        text,
        rename === undefined ? parts : renamedLines(parts, rename, path, limits),
      );
      if (count !== table.rows)
        throw new StartError(
          `${path} holds ${count} rows of ${table.schema}.${table.name}, and its manifest.json says ${table.rows}`,
        );
    }
    for (const { token, size, parts } of files)
      await storage?.write(rename?.(token) ?? token, rows.partsOfFile(token, parts), size);
    await rows.finish();
  } finally {
    await rows.close();
  }
};
