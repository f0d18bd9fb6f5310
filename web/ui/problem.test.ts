import { ApiError } from '@rowhouse/contract/error.ts';
import { expect, test } from 'vitest';
import { createClient } from '@rowhouse/contract/client.ts';
import { listSpaces } from '@rowhouse/contract/space.ts';
import { isFinal, problemOf } from './problem.ts';

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

test('what is not there is not called by its id', () => {
  expect(problemOf(new ApiError('not_found', 'Base bse0123456789abcdef not found'))).toEqual({
    title: 'You no longer have access to this base, or it was deleted.',
    advice: 'Ask an owner to share it with you or to restore it.',
  });
  expect(problemOf(new ApiError('not_found', 'The invitation is used up')).title).toBe('The invitation is used up.');
});

test('what was expected is said once', () => {
  const refused = (message: string, expected?: string) =>
    problemOf(new ApiError('validation_error', 'Bad', { issues: [{ path: 'emails[0]', message, expected }] }));
  expect(refused('"notmail" is not an e-mail address', 'an e-mail address')).toEqual({
    title: '"notmail" is not an e-mail address.',
    advice: 'Change it and try again.',
  });
  expect(refused('Expected at most 3 item(s)', 'at most 3 item(s)').advice).toBe('Change it and try again.');
  expect(refused('“many” is not a number', 'digits').advice).toBe('Expected: digits.');
});

test('whether an answer is final is said by the table of errors, also for locks, and for proxies that answer instead', async () => {
  const answered = async (status: number, body: string, headers: Record<string, string> = {}): Promise<boolean> => {
    const type = { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' };
    const fetch = () => Promise.resolve(new Response(body, { status, headers: { ...type, ...headers } }));
    return createClient({ baseUrl: '', fetch })(listSpaces, {}).then(
      () => false,
      (error: unknown) => error instanceof ApiError && isFinal(error),
    );
  };
  expect(await answered(409, '{"code":"conflict","message":"taken"}')).toBe(true);
  expect(await answered(409, '{"code":"conflict","message":"locked"}', { 'retry-after': '5' })).toBe(false);
  expect(await answered(429, '{"code":"too_many_requests","message":"wait"}')).toBe(false);
  expect(await answered(502, '<html>')).toBe(false);
  expect(await answered(404, '{"code":"ROUTE_NOT_FOUND"}')).toBe(true);
  expect(await answered(503, '{"cut off')).toBe(false);
});
