import type { ConnectionView } from '@rowhouse/contract/connection.ts';
import type { Context } from '../../context.ts';
import { selectReader } from './reader.sql.ts';
import { describeConnection, sqlAddress } from './describe-connection.ts';

export const getConnection = async (context: Context, baseId: string): Promise<ConnectionView | null> => {
  const reader = await selectReader(context.db, baseId);
  return reader === undefined ? null : describeConnection(context.db, await sqlAddress(context), reader);
};
