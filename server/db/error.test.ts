import { expect, test } from 'vitest';
import { ApiError } from '@rowhouse/contract/error.ts';
import { databaseError } from './error.ts';

const answerTo = (code: string, message: string): unknown => databaseError(Object.assign(new Error(message), { code }));

test('a node of a cluster that dies, before a statement or before its commit, is a database that cannot be reached at the moment', () => {
  for (const [code, message] of [
    ['08006', 'connection to the remote node postgres@node1:5432 failed with the following error: Connection refused'],
    ['57P01', 'terminating connection due to unexpected postmaster exit'],
    ['XX000', 'failure on connection marked as essential: node1:5432'],
  ] as const) {
    expect(answerTo(code, message)).toMatchObject({ code: 'database_connection_unavailable', headers: { 'retry-after': '1' } });
  }
  expect(answerTo('XX000', 'cache lookup failed for relation 1')).not.toBeInstanceOf(ApiError);
});
