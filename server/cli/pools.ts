// The connections of a server, and how long a statement may take on each: requests and streams are short, jobs may take long.
import { workConnections } from '../app.ts';
import type { Config } from '../config.ts';
import type { DbOptions } from '../db/db.ts';

const relayConnections = 3;

export const poolsOf = ({
  databaseConnections,
  statementTimeout,
  longStatementTimeout,
  temporaryMegabytes,
}: Pick<Config, 'databaseConnections' | 'statementTimeout' | 'longStatementTimeout' | 'temporaryMegabytes'>): Record<
  'requests' | 'relay' | 'work',
  DbOptions
> => ({
  requests: {
    max: databaseConnections,
    statementTime: statementTimeout,
    longStatementTime: longStatementTimeout,
    temporaryMegabytes,
  },
  relay: { max: relayConnections, statementTime: statementTimeout, longStatementTime: longStatementTimeout },
  work: { max: workConnections, statementTime: longStatementTimeout, longStatementTime: longStatementTimeout },
});
