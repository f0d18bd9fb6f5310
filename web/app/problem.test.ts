import { ApiError } from '@rowhouse/contract/error.ts';
import { expect, test } from 'vitest';
import { problemOf } from './problem.ts';

test('what a role does not allow is said without the names that programs use', () => {
  const refused = (role: string) =>
    problemOf(
      new ApiError('restricted_resource', `The role ${role} is not allowed to operate record|update on tbl123`),
    );
  expect(refused('viewer')).toEqual({
    title: 'As a viewer you cannot do this.',
    advice: 'Ask an owner of the space for a different role.',
  });
  expect(refused('editor').title).toBe('As an editor you cannot do this.');
});
