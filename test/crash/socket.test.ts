// A program of the ShareDB library at /socket, while its server is killed: it sees changes, goes on with the same documents after the
// start, and sees nothing that it may not.
import { expect, test } from 'vitest';
import { credentialsIn, newDataFolder, request, serve } from '../support/program.ts';
import { connect } from '../support/socket.ts';

const later = { timeout: 20_000, interval: 20 };

test('a subscriber survives a kill -9 of its server, and sees nothing of what its token may not read', async () => {
  const data = newDataFolder();
  const first = await serve({ ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  const { baseId, tableId } = known;
  const ask = async (at: string, method: string, path: string, body?: object): Promise<any> => {
    const answer = await request(at, known, method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text);
  };
  const [space] = await ask(first.origin, 'GET', '/space');
  const other = await ask(first.origin, 'POST', '/base', { spaceId: space.id, name: 'Elsewhere' });
  const hidden = await ask(first.origin, 'POST', `/base/${other.id}/table`, { name: 'Hidden' });
  const { token } = await ask(first.origin, 'POST', '/access-token', {
    name: 'Listener',
    scopes: ['record|read', 'table|read', 'field|read'],
    baseIds: [baseId],
    expiredTime: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const [field] = await ask(first.origin, 'GET', `/table/${tableId}/field`);
  const { records } = await ask(first.origin, 'GET', `/table/${tableId}/record`);
  const [recordId, secondId] = records.map(({ id }: { id: string }) => id) as [string, string];
  const write = (at: string, id: string, text: string) =>
    ask(at, 'PATCH', `/table/${tableId}/record/${id}`, {
      fieldKeyType: 'id',
      record: { fields: { [field.id]: text } },
    });

  const client = await connect(first.origin, { token });
  const doc = await client.subscribe(`rec_${tableId}`, recordId);
  const query = await client.query(`rec_${tableId}`);
  const count = query.results.length;
  await write(first.origin, recordId, 'before');
  await expect.poll(() => doc.data?.fields[field.id], later).toBe('before');
  const version = doc.version as number;

  first.kill('SIGKILL');
  await first.ended;
  const second = await serve({ ROWHOUSE_DATA: data });
  // Nobody was there to tell of these.
  await write(second.origin, recordId, 'meanwhile');
  await ask(second.origin, 'DELETE', `/table/${tableId}/record/${secondId}`);
  await client.rebind(second.origin);
  await expect.poll(() => doc.data?.fields[field.id], later).toBe('meanwhile');
  await expect.poll(() => query.results.length, later).toBe(count - 1);
  expect(doc.version).toBeGreaterThan(version);
  await write(second.origin, recordId, 'after');
  await expect.poll(() => doc.data?.fields[field.id], later).toBe('after');

  const [elsewhere] = (await ask(second.origin, 'GET', `/table/${hidden.id}/record`)).records;
  await client.subscribe(`rec_${hidden.id}`, elsewhere.id).catch(() => undefined);
  const unseen = await client.query(`rec_${hidden.id}`).catch(() => undefined);
  expect(unseen?.results ?? []).toEqual([]);
  const [name] = await ask(second.origin, 'GET', `/table/${hidden.id}/field`);
  await ask(second.origin, 'PATCH', `/table/${hidden.id}/record/${elsewhere.id}`, {
    fieldKeyType: 'id',
    record: { fields: { [name.id]: 'unheard' } },
  });
  await write(second.origin, recordId, 'last');
  await expect.poll(() => doc.data?.fields[field.id], later).toBe('last');
  expect(JSON.stringify(client.heard)).not.toContain('unheard');
  client.close();
  second.kill('SIGTERM');
  await second.ended;
});
