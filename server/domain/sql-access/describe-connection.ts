import type { ConnectionView } from '@rowhouse/contract/connection.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Environment } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { countConnections, maxConnections, type Reader, selectDatabase, selectListening } from './reader.sql.ts';

interface SqlAddress {
  host: string;
  port: number;
}

/** Where a tool reaches the database; 422 when it listens on a socket only. */
export const sqlAddress = async ({ db, config }: Pick<Environment, 'db' | 'config'>): Promise<SqlAddress> => {
  if (config.databaseUrl !== null) {
    const { hostname, port } = new URL(config.databaseUrl);
    if (hostname !== '') return { host: hostname, port: port === '' ? 5_432 : Number(port) };
  }
  const { addresses, port } = await selectListening(db);
  if (addresses === '') {
    throw new ApiError(
      'unprocessable_entity',
      'The database of this server cannot be reached from outside: its operator has to set ROWHOUSE_SQL_PORT and restart it',
    );
  }
  return { host: '127.0.0.1', port };
};

export const describeConnection = async (
  db: Queryable,
  { host, port }: SqlAddress,
  { roleName }: Reader,
  password?: string,
): Promise<ConnectionView> => {
  const name = await selectDatabase(db);
  const secret = password === undefined ? '' : `:${password}`;
  return {
    dsn: {
      driver: 'postgresql',
      host,
      port,
      db: name,
      user: roleName,
      ...(password === undefined ? {} : { pass: password }),
    },
    connection: { max: maxConnections, current: await countConnections(db, roleName) },
    url: `postgresql://${roleName}${secret}@${host.includes(':') ? `[${host}]` : host}:${port}/${encodeURIComponent(name)}`,
  };
};
