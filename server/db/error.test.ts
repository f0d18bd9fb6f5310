import { expect, test } from 'vitest';
import { ApiError } from '@rowhouse/contract/error.ts';
import { constraintOf, databaseError, sqlState } from './error.ts';

const answerTo = (code: string, message: string): unknown => databaseError(Object.assign(new Error(message), { code }));

test('a node of a cluster that dies, before a statement, before its commit or in it, is a database that cannot be reached at the moment', () => {
  for (const [code, message] of [
    ['08006', 'connection to the remote node postgres@node1:5432 failed with the following error: Connection refused'],
    ['57P01', 'terminating connection due to unexpected postmaster exit'],
    ['XX000', 'failure on connection marked as essential: node1:5432'],
    ['XX000', 'could not commit transaction for shard 102039 on at least one active node'],
    [
      'XX000',
      'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally\n\tbefore or while processing the request.',
    ],
    ['XX000', 'SSL SYSCALL error: EOF detected'],
    ['58030', 'failed to COPY to shard 0 on node1:5432'],
    ['XX000', 'postmaster was shut down, exiting'],
  ] as const) {
    expect(answerTo(code, message)).toMatchObject({
      code: 'database_connection_unavailable',
      headers: { 'retry-after': '1' },
    });
  }
  expect(answerTo('XX000', 'cache lookup failed for relation 1')).not.toBeInstanceOf(ApiError);
});

test('what a node of a cluster refuses in a COPY is told by its message, since it comes without a code', () => {
  const told = Object.assign(
    new Error('duplicate key value violates unique constraint "__unique_fldXXXXXXXXXXXXXXXX_102039"'),
    { code: 'XX000' },
  );
  expect([sqlState(told), constraintOf(told)]).toEqual(['23505', '__unique_fldXXXXXXXXXXXXXXXX']);
  expect(
    sqlState(
      Object.assign(new Error('null value in column "Name" of relation "Table_102039" violates not-null constraint'), {
        code: 'XX000',
      }),
    ),
  ).toBe('23502');
  expect(sqlState(Object.assign(new Error('deadlock detected'), { code: 'XX000' }))).toBe('40P01');
  expect(sqlState(Object.assign(new Error('cache lookup failed for relation 1'), { code: 'XX000' }))).toBe('XX000');
});
