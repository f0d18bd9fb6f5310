// A node of a Citus cluster is killed while people write to and read from bases on two nodes, through two server processes, and comes back. Runs where TEST_DATABASE_URL names a
// cluster and TEST_NODE_COMMAND a command that ends and starts its nodes; no other test of that cluster may run meanwhile.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { generousPlans } from '../../proof/ground.ts';
import { type ClusterNodes, createEmptyOnCluster, dropOnCluster, findCluster, urlOn } from '../support/cluster.ts';
import { credentialsIn, type Known, newDataFolder, request, serve, until } from '../support/program.ts';

const given = process.env['TEST_DATABASE_URL'] ?? '';
const command = process.env['TEST_NODE_COMMAND'] ?? '';

type Node = ClusterNodes['nodes'][number];

const order = (what: 'kill' | 'start', { host, port }: Node): Promise<unknown> =>
  promisify(execFile)(command, [what, host, String(port)]);

const ask = async <T extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client
    .query<T>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

interface Writer {
  acknowledged: string[];
  /** Of what was not acknowledged: status and whether the answer says when to try again. */
  refused: string[];
}

/** Each is created, and then changed to another name; in between one is read. */
const writeTo = async (
  origin: string,
  known: Known,
  tableId: string,
  name: string,
  into: Writer,
  isOver: () => boolean,
): Promise<void> => {
  const send = async (method: string, path: string, body?: unknown): Promise<Response | undefined> => {
    const answer = await request(origin, known, method, path, body);
    if (answer.ok) return answer;
    const said = await answer.text();
    into.refused.push(`${answer.status}${answer.headers.has('retry-after') ? ' retry-after' : ` ${said}`}`);
    return undefined;
  };
  for (let count = 0; !isOver(); count += 1) {
    const text = `${name}:${count}`;
    const answer = await send('POST', `/table/${tableId}/record`, { records: [{ fields: { Name: text } }] });
    if (answer === undefined) continue;
    await (await send('GET', `/table/${tableId}/record?take=1`))?.body?.cancel();
    const { records } = (await answer.json()) as { records: { id: string }[] };
    const changed = await send('PATCH', `/table/${tableId}/record/${records[0]?.id}`, {
      record: { fields: { Name: `${text} changed` } },
    });
    // When the change was not acknowledged, the record has one of the two names.
    into.acknowledged.push(changed === undefined ? text : `${text} changed`);
    await changed?.body?.cancel();
  }
};

const namesIn = async (origin: string, known: Known, tableId: string): Promise<string[]> => {
  const names: string[] = [];
  for (let skip = 0; skip === names.length; skip += 1_000) {
    const answer = await request(origin, known, 'GET', `/table/${tableId}/record?take=1000&skip=${skip}`);
    if (answer.status !== 200) throw new Error(`a list answered ${answer.status}: ${await answer.text()}`);
    names.push(
      ...((await answer.json()) as { records: { fields: { Name: string } }[] }).records.map(
        ({ fields }) => fields.Name,
      ),
    );
  }
  return names;
};

const made = async (origin: string, known: Known, path: string, body: unknown): Promise<string> => {
  const answer = await request(origin, known, 'POST', path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
};

const nodeOf = `select n.nodeport as port from pg_dist_schema s join pg_dist_partition t on t.colocationid = s.colocationid join pg_dist_shard h on h.logicalrelid = t.logicalrelid
  join pg_dist_placement p on p.shardid = h.shardid join pg_dist_node n on n.groupid = p.groupid where s.schemaid = to_regnamespace(format('%I', $1::text)) limit 1`;

test('a node that dies takes its own bases with it, and nothing that was acknowledged is lost', {
  timeout: 300_000,
}, async ({ skip }) => {
  const cluster = given === '' ? null : await findCluster(given);
  skip(cluster === null, 'TEST_DATABASE_URL does not name a Citus cluster');
  skip(command === '', 'TEST_NODE_COMMAND does not say how nodes of the cluster are ended and started');
  const { nodes } = cluster as ClusterNodes;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await createEmptyOnCluster(given, name, cluster as ClusterNodes);
  const databaseUrl = urlOn(given, name);
  const [data, otherData] = [newDataFolder(), newDataFolder()];
  const environment = {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_PLANS: generousPlans(dirname(data)),
    ROWHOUSE_SECRET: randomBytes(32).toString('hex'),
  };
  const { origin } = await serve({ ...environment, ROWHOUSE_DATA: data });
  const second = await serve({ ...environment, ROWHOUSE_DATA: otherData });
  const known = credentialsIn(data);
  const spaceId = await made(origin, known, '/space', { name: 'Nodes' });
  const tables = new Map<number, { baseId: string; tableId: string }>();
  while (tables.size < 2) {
    const baseId = await made(origin, known, '/base', { spaceId, name: 'On a node' });
    const tableId = await made(origin, known, `/base/${baseId}/table`, {
      fields: [{ name: 'Name', type: 'singleLineText' }],
      records: [],
    });
    tables.set((await ask<{ port: number }>(databaseUrl, nodeOf, [baseId]))[0]?.port as number, { baseId, tableId });
  }
  type Placed = [port: number, { baseId: string; tableId: string }];
  const [[lostPort, { tableId: lostTable }], [, { baseId: otherBase, tableId: otherTable }]] = [...tables] as [
    Placed,
    Placed,
  ];
  const node = nodes.find(({ port }) => port === lostPort) as Node;
  const [lost, other]: [Writer, Writer] = [
    { acknowledged: [], refused: [] },
    { acknowledged: [], refused: [] },
  ];
  let isOver = false;
  const writers = [origin, second.origin].flatMap((at, place) => [
    writeTo(at, known, lostTable, `lost${place}`, lost, () => isOver),
    writeTo(at, known, otherTable, `other${place}`, other, () => isOver),
  ]);
  let isAway = false;
  try {
    await until('people write to both', () => lost.acknowledged.length > 50 && other.acknowledged.length > 50);
    await order('kill', node);
    isAway = true;
    const before = other.acknowledged.length;
    await until(
      'its base is refused, and the other one served',
      () => lost.refused.length > 20 && other.acknowledged.length > before + 50,
    );
    const list = await request(origin, known, 'GET', `/table/${lostTable}/record`);
    expect([list.status, list.headers.has('retry-after')]).toEqual([503, true]);
    // A new table is made known to every node.
    const refusedTable = await request(origin, known, 'POST', `/base/${otherBase}/table`, { name: 'Meanwhile' });
    expect([refusedTable.status, refusedTable.headers.has('retry-after')]).toEqual([503, true]);
    await order('start', node);
    isAway = false;
    const written = lost.acknowledged.length;
    await until('its base is written to again', () => lost.acknowledged.length > written + 50);
  } catch (error) {
    throw new Error(
      `${JSON.stringify([...new Set(lost.refused)])} ${JSON.stringify([...new Set(other.refused)])}`.slice(0, 4_000),
      { cause: error },
    );
  } finally {
    isOver = true;
    await Promise.all(writers);
    if (isAway) await order('start', node);
  }
  expect([...new Set(lost.refused)]).toEqual(['503 retry-after']);
  expect([...new Set(other.refused)]).toEqual([]);
  for (const [tableId, { acknowledged }] of [
    [lostTable, lost],
    [otherTable, other],
  ] as const) {
    // What was committed while the node died, and could not be told to it any more, is carried over by the coordinator: citus.recover_2pc_interval, a minute.
    let there: string[] = [];
    await expect
      .poll(
        async () => {
          there = await namesIn(origin, known, tableId);
          return acknowledged.filter((text) => !there.includes(text) && !there.includes(`${text} changed`));
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toEqual([]);
    const records = there.map((text) => text.replace(' changed', ''));
    expect(new Set(records).size).toBe(records.length);
  }
  expect(
    (
      await ask(
        databaseUrl,
        "select from run_command_on_all_nodes('select count(*) from pg_prepared_xacts where database = current_database()') where result <> '0'",
      )
    ).length,
  ).toBe(0);
  await dropOnCluster(given, name, cluster as ClusterNodes);
});
