import type { ConnectionView } from '@rowhouse/contract/connection.ts';
import { ApiError, notFound } from '@rowhouse/contract/error.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import { demandScope } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { sqlState } from '../../db/error.ts';
import { lockSchemas } from '../plan/count-rows.sql.ts';
import { lockPlace } from '../collaborator/collaborator.sql.ts';
import {
  changePassword,
  createRole,
  fenceReader,
  grantConnecting,
  grantReading,
  insertReader,
  lockReaders,
  type Reader,
  readerName,
  selectReader,
} from './reader.sql.ts';
import { readSubscription } from '../plan/read-subscription.ts';
import { scramVerifier } from '../../db/scram.ts';
import { effectiveLevel } from '../plan/subscription.ts';
import { lockSubscription } from '../plan/subscription.sql.ts';
import { selectUsage } from '../plan/usage.sql.ts';
import { describeConnection, sqlAddress } from './describe-connection.ts';

const openReader = async (tx: Tx, context: Context, reader: Reader, limit: number, password: string): Promise<void> => {
  const spaceId = context.access.spaceId as string;
  await lockSubscription(tx, spaceId);
  const { numDatabaseConnections: usage } = await selectUsage(tx, spaceId);
  if (usage >= limit) {
    throw new ApiError(
      'payment_required',
      `The plan of this space allows ${limit} base(s) to be open for SQL, and ${usage} are`,
      { limit, usage, asked: 1 },
    );
  }
  await lockSchemas(tx, reader.baseId);
  await lockReaders(tx);
  await createRole(tx, reader.roleName, scramVerifier(password));
  await insertReader(tx, reader, context.principal.userId);
  await grantConnecting(tx, reader.roleName);
  if (context.config.databaseUrl === null) await fenceReader(tx, reader.roleName);
  await grantReading(tx, reader);
};

const explain = (error: unknown): unknown =>
  sqlState(error) === '42501'
    ? new ApiError(
        'unprocessable_entity',
        'The database user of this server may not create roles: its operator has to grant it CREATEROLE for SQL access to bases',
      )
    : error;

/** With SQL everything in the base is read: cells, and the addresses in them. */
export const createConnection = async (context: Context, baseId: string): Promise<ConnectionView> => {
  for (const scope of ['record|read', 'user|email_read'] as const) demandScope(context.principal, scope, baseId);
  const { db, plans } = context;
  const address = await sqlAddress(context);
  const password = randomText(32);
  const level = effectiveLevel(plans, await readSubscription(context, context.access.spaceId as string));
  const reader: Reader = { baseId, roleName: readerName(baseId) };
  await db
    .transaction(async (tx) => {
      if (!(await lockPlace(tx, { type: 'base', id: baseId }))) throw notFound('Base', baseId);
      if ((await selectReader(tx, baseId)) === undefined)
        await openReader(tx, context, reader, plans.limitOf(level).maxNumDatabaseConnections, password);
      else await changePassword(tx, reader.roleName, scramVerifier(password));
      await writeAudit(tx, doerOf(context), 'base.sqlOpened', { baseIds: [baseId] }, { baseId });
    })
    .catch((error: unknown) => {
      throw explain(error);
    });
  return describeConnection(db, address, reader, password);
};
