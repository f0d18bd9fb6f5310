import { expect, test, vi } from 'vitest';
import { eventSchemas } from '@rowhouse/contract/event.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

test('health says that the process is up, ready that the database answers', async () => {
  expect((await fetch(`${world().origin}/health`)).status).toBe(200);
  expect(await (await fetch(`${world().origin}/health/ready`)).json()).toEqual({ status: 'ready' });
});

test('a server that test files share keeps its timers', () => {
  expect(() => vi.useFakeTimers()).toThrow('timers would stand still');
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

test('without an upgrade there is nothing at the address of the socket, and it is no page of the app', async () => {
  for (const path of ['/socket', '/socket/', '/socket/info?t=1']) {
    const response = await fetch(`${world().origin}${path}`);
    expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([
      path,
      404,
      'not_found',
    ]);
  }
});

test('the reference begins with what every program needs, with every scope and every event', async () => {
  // Without its script, which has pieces of links.
  const text = (await (await fetch(`${world().baseUrl}/docs`)).text()).replaceAll(/<script>.*?<\/script>/gs, '');
  const targets = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const id of ['credentials', 'scopes', 'paging', 'retries', 'idempotency', 'events', 'errors'])
    expect([id, targets.has(id)]).toEqual([id, true]);
  expect([...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !targets.has(id))).toEqual([]);
  for (const name of [...actions, ...Object.keys(eventSchemas)]) expect(text).toContain(`<code>${name}</code>`);
  expect(text).toMatch(/Read by: .*href="#createRecords"/);
});
