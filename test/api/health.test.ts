import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('health says that the process is up, ready that the database answers', async () => {
  expect((await fetch(`${world().origin}/health`)).status).toBe(200);
  expect(await (await fetch(`${world().origin}/health/ready`)).json()).toEqual({ status: 'ready' });
});

test('an unknown address is a 404 in the documented form, with the request id', async () => {
  const response = await fetch(`${world().baseUrl}/nothing`, { headers: { 'x-request-id': 'abc-1' } });
  expect(response.status).toBe(404);
  expect(response.headers.get('x-request-id')).toBe('abc-1');
  expect(await response.json()).toEqual({
    message: 'Cannot GET /api/nothing',
    status: 404,
    code: 'not_found',
    requestId: 'abc-1',
  });
});

test('there is no socket, and its address is no page of the app', async () => {
  for (const path of ['/socket', '/socket/', '/socket/info?t=1']) {
    const response = await fetch(`${world().origin}${path}`);
    expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([
      path,
      404,
      'not_found',
    ]);
  }
});
