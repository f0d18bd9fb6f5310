import { copyIn } from '../../db/copy.ts';
import type { Session } from '../../db/session.ts';
import { compile } from '../../db/sql.ts';
import type { Storage } from '../file/storage.ts';
import { StartError } from '../../db/error.ts';
import type { Manifest, TableData } from './manifest.ts';
import { readRows } from './open-backup.ts';
import { copyStatement, type QualifiedName } from './snapshot.sql.ts';

/** Every row of the file goes where `targetOf` says, or it is an error; uploaded files go into the storage. */
export const loadRows = async (session: Session, path: string, { tables, files = [] }: Manifest, storage: Storage | undefined, targetOf: (table: TableData) => QualifiedName): Promise<void> => {
  const rows = readRows(path);
  try {
    for (const [at, table] of tables.entries()) {
      const { text } = compile(copyStatement(targetOf(table), table.columns, 'from stdin'));
      const count = await copyIn(session.client, text, rows.partsOf(at, table.parts));
      if (count !== table.rows) throw new StartError(`${path} holds ${count} rows of ${table.schema}.${table.name}, and its manifest.json says ${table.rows}`);
    }
    for (const { token, size, parts } of files) await storage?.write(token, rows.partsOfFile(token, parts), size);
    await rows.finish();
  } finally {
    await rows.close();
  }
};
