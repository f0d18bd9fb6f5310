// Keeps the rights of readers equal to what a base holds, and ends readers with what they rest on.
import type { Queryable, Tx } from '../../db/db.ts';
import { lockSchemas } from '../plan/count-rows.sql.ts';
import {
  deleteReader,
  dropRole,
  grantTable,
  lockReaders,
  type Reader,
  revokeTable,
  selectDbTableName,
  selectReader,
  selectReadersOf,
} from './reader.sql.ts';

/** After a table was made or came back from the trash. */
export const showToReader = async (tx: Tx, baseId: string, tableId: string): Promise<void> => {
  const reader = await selectReader(tx, baseId);
  const name = reader === undefined ? undefined : await selectDbTableName(tx, tableId);
  if (reader !== undefined && name !== undefined) await grantTable(tx, reader, name);
};

/** After a table was made that holds the keys of a link. */
export const showKeysToReader = async (tx: Queryable, baseId: string, name: string): Promise<void> => {
  const reader = await selectReader(tx, baseId);
  if (reader !== undefined) await grantTable(tx, reader, name);
};

/** When a table goes to the trash. */
export const hideFromReader = async (tx: Tx, baseId: string, tableId: string): Promise<void> => {
  const reader = await selectReader(tx, baseId);
  const name = reader === undefined ? undefined : await selectDbTableName(tx, tableId);
  if (reader !== undefined && name !== undefined) await revokeTable(tx, reader, name);
};

const close = async (tx: Tx, reader: Reader): Promise<void> => {
  await lockSchemas(tx, reader.baseId);
  await lockReaders(tx);
  await deleteReader(tx, reader.baseId);
  await dropRole(tx, reader);
};

/** Before the base goes to the trash, to another space, or away: the one who comes to own it opens it again. False when it was not open. */
export const closeReader = async (tx: Tx, baseId: string): Promise<boolean> => {
  const reader = await selectReader(tx, baseId);
  if (reader !== undefined) await close(tx, reader);
  return reader !== undefined;
};

export const closeReadersOf = async (tx: Tx, spaceId: string): Promise<void> => {
  for (const reader of await selectReadersOf(tx, spaceId)) await close(tx, reader);
};
