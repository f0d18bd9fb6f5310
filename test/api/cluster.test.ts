// What only a Citus cluster has: bases on nodes, and commands that show and move them. Runs where TEST_DATABASE_URL names one.
import pg from 'pg';
import { beforeEach, expect, inject, test } from 'vitest';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { selectPlace } from '../../server/db/citus.ts';
import { many } from '../../server/db/db.ts';
import { migrate } from '../../server/db/migrate.ts';
import { sql } from '../../server/db/sql.ts';
import {
  addNewNodes,
  type ClusterNodes,
  createEmptyOnCluster,
  dropOnCluster,
  joinCluster,
  urlOn,
} from '../support/cluster.ts';
import { rowhouse } from '../support/command.ts';
import { type Person, person } from '../support/people.ts';
import { newBase, newSpace } from '../support/workspace.ts';
import { caller, openWorld, useWorld } from '../support/world.ts';

const world = useWorld();
beforeEach(({ skip }) => skip(inject('cluster') === null, 'TEST_DATABASE_URL does not name a Citus cluster'));

interface Shown {
  node: string;
  address: string;
  kind: string;
  state: string;
  bases: string;
}

const nodesNow = async (): Promise<Shown[]> => {
  const said = await rowhouse(world().databaseUrl, 'nodes', '--json');
  expect(said.err).toBe('');
  return JSON.parse(said.out) as Shown[];
};

const placeOf = async (baseId: string): Promise<string> => String((await selectPlace(world().db, baseId)).nodeId);

const newTable = async (owner: Person, baseId: string): Promise<string> =>
  (
    await owner.call(createTable, {
      params: { baseId },
      body: { fields: [{ name: 'Name', type: 'singleLineText' }], records: [] },
    })
  ).body.id;

interface Writing {
  acknowledged: string[];
  refused: number[];
  end: () => Promise<unknown>;
}

/** Two clients. */
const writeMeanwhile = (owner: Person, tableId: string): Writing => {
  const [acknowledged, refused]: [string[], number[]] = [[], []];
  let isOver = false;
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const name = `${writer}:${count}`;
      const { status } = await owner.call(createRecords, {
        params: { tableId },
        body: { records: [{ fields: { Name: name } }] },
      });
      if (status === 201) acknowledged.push(name);
      else refused.push(status);
    }
  };
  const writers = [write(1), write(2)];
  return { acknowledged, refused, end: () => ((isOver = true), Promise.all(writers)) };
};

const demandAllOnce = async (owner: Person, tableId: string, { acknowledged, refused }: Writing): Promise<void> => {
  expect(refused).toEqual([]);
  const there: unknown[] = [];
  for (let skip = 0; skip === there.length; skip += 1_000) {
    const page = await owner.call(listRecords, { params: { tableId }, query: { take: 1_000, skip } });
    there.push(...page.body.records.map(({ fields }) => fields['Name']));
  }
  expect(there.toSorted()).toEqual(acknowledged.toSorted());
};

test('bases are spread over the nodes, and `rowhouse nodes` says how many each holds', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const before = await nodesNow();
  expect(before.map(({ kind, state }) => [kind, state])).toEqual([
    ['coordinator', 'answers'],
    ...inject('cluster')!.nodes.map(() => ['node', 'takes bases']),
  ]);
  const places: string[] = [];
  for (let count = 0; count < 4; count += 1) places.push(await placeOf(await newBase(owner, spaceId)));
  const after = await nodesNow();
  for (const [at, node] of after.entries())
    expect(Number(node.bases) - Number(before[at]?.bases)).toBe(places.filter((place) => place === node.node).length);
  expect(new Set(places).size).toBe(Math.min(4, inject('cluster')!.nodes.length));
});

test('`rowhouse doctor` says that it is a cluster, and finds nothing amiss', async () => {
  const said = await rowhouse(world().databaseUrl, 'doctor');
  expect(said.out).toContain(`cluster: Citus with ${inject('cluster')!.nodes.length} nodes that take bases`);
  expect(
    said.out
      .split('\n')
      .filter((line) => /cluster:.*(does not answer|max_prepared|wal_level|coordinator is)/.test(line)),
  ).toEqual([]);
});

test('a base is moved while two clients write to it: what was acknowledged is there once', async () => {
  const owner = await person(world());
  const baseId = await newBase(owner, await newSpace(owner));
  const tableId = await newTable(owner, baseId);
  const nodes = (await nodesNow()).filter(({ kind }) => kind === 'node');
  const from = await placeOf(baseId);
  const to = nodes.find(({ node }) => node !== from) as Shown;
  const writing = writeMeanwhile(owner, tableId);
  await expect.poll(() => writing.acknowledged.length).toBeGreaterThan(50);
  const said = await rowhouse(world().databaseUrl, 'base', 'move', baseId, to.address).finally(writing.end);
  expect(said).toMatchObject({ code: 0, out: `moved base ${baseId} to ${to.address}`, err: '' });
  expect(await placeOf(baseId)).toBe(to.node);
  await demandAllOnce(owner, tableId, writing);
  expect((await rowhouse(world().databaseUrl, 'base', 'move', baseId, to.node)).out).toBe(
    `base ${baseId} is on ${to.address}`,
  );
});

const ask = async <T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query<T>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

test('a page is read at the node of its base, also when the base has moved to another one', async () => {
  const owner = await person(world());
  const baseId = await newBase(owner, await newSpace(owner));
  const tableId = await newTable(owner, baseId);
  await owner.call(createRecords, { params: { tableId }, body: { records: [{ fields: { Name: 'there' } }] } });
  const list = async (): Promise<unknown> =>
    (await owner.call(listRecords, { params: { tableId } })).body.records.map(({ fields }) => fields['Name']);
  // What the coordinator passes on to a node has a name of its own there.
  const readersAt = async (address: string): Promise<number> => {
    const [host, port] = address.split(':') as [string, string];
    const url = urlOn(world().databaseUrl, new URL(world().databaseUrl).pathname.slice(1), {
      host,
      port: Number(port),
    });
    return (
      await ask(
        url,
        `select pid from pg_stat_activity where application_name = 'rowhouse' and query like 'with page as %"${baseId}"%'`,
      )
    ).length;
  };
  const nodes = (await nodesNow()).filter(({ kind }) => kind === 'node');
  const from = await placeOf(baseId);
  const [home, other] = [
    nodes.find(({ node }) => node === from) as Shown,
    nodes.find(({ node }) => node !== from) as Shown,
  ];
  await expect
    .poll(async () => [await list(), await readersAt(home.address)])
    .toEqual([['there'], expect.toSatisfy((count) => count > 0)]);
  expect(await readersAt(other.address)).toBe(0);
  let isOver = false;
  const read: unknown[] = [];
  const reading = (async () => {
    while (!isOver) read.push(await list());
  })();
  const said = await rowhouse(world().databaseUrl, 'base', 'move', baseId, other.address).finally(
    () => (isOver = true),
  );
  await reading;
  expect(said).toMatchObject({ code: 0, err: '' });
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter((names) => JSON.stringify(names) !== '["there"]')).toEqual([]);
  expect(await list()).toEqual(['there']);
});

const withClient = async (url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
};

test('a base from before there was a cluster is taken to a node by its first move, and leaves nothing behind', async () => {
  const server = inject('postgresUrl');
  const cluster = inject('cluster') as ClusterNodes;
  const name = `${inject('databasePrefix')}before`;
  const url = urlOn(server, name);
  await withClient(server, (client) => client.query(`create database ${name}`));
  try {
    await withClient(url, migrate);
    const before = await openWorld(url);
    const owner = await person(before);
    const baseId = await newBase(owner, await newSpace(owner));
    const tableId = await newTable(owner, baseId);
    const add = (by: Person) =>
      by.call(createRecords, { params: { tableId }, body: { records: [{ fields: { Name: 'there' } }] } });
    expect((await add(owner)).status).toBe(201);
    await before.close();

    await joinCluster(server, name, cluster);
    await withClient(url, migrate);
    const after = await openWorld(url);
    const again: Person = { ...owner, call: caller({ baseUrl: after.baseUrl, token: owner.token }) };
    expect((await add(again)).status).toBe(201);
    expect((await rowhouse(url, 'doctor')).out).toContain('1 bases are on the coordinator');
    for (const { host, port } of cluster.nodes) {
      expect(await rowhouse(url, 'base', 'move', baseId, `${host}:${port}`)).toMatchObject({ code: 0, err: '' });
      expect((await add(again)).status).toBe(201);
    }
    expect((await rowhouse(url, 'doctor')).out).not.toContain('bases are on the coordinator');
    expect((await again.call(listRecords, { params: { tableId } })).body.records).toHaveLength(
      2 + cluster.nodes.length,
    );
    expect(
      await many(
        after.db,
        sql`select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = ${baseId} and c.relkind = 'r' and pg_relation_size(c.oid) > 0`,
      ),
    ).toEqual([]);
    await after.close();
  } finally {
    await dropOnCluster(server, name, cluster);
  }
});

test('a node is added, and bases go there while people write to all of them', { timeout: 180_000 }, async ({
  skip,
}) => {
  const server = inject('postgresUrl');
  const { coordinator, nodes } = inject('cluster') as ClusterNodes;
  skip(nodes.length < 2, 'the cluster has one node');
  const name = `${inject('databasePrefix')}growing`;
  const url = urlOn(server, name);
  await createEmptyOnCluster(server, name, { coordinator, nodes: nodes.slice(0, 1) });
  try {
    await withClient(url, migrate);
    const growing = await openWorld(url);
    const owner = await person(growing);
    const spaceId = await newSpace(owner);
    const tables: string[] = [];
    for (let count = 0; count < 4; count += 1) tables.push(await newTable(owner, await newBase(owner, spaceId)));
    const writings = tables.map((tableId) => writeMeanwhile(owner, tableId));
    const basesOn = async (): Promise<string[]> =>
      (JSON.parse((await rowhouse(url, 'nodes', '--json')).out) as Shown[]).map(({ bases }) => bases);
    try {
      await expect.poll(() => Math.min(...writings.map(({ acknowledged }) => acknowledged.length))).toBeGreaterThan(5);
      expect(await basesOn()).toEqual(['0', '4']);
      await addNewNodes(server, name, nodes.slice(1, 2));
      await many(growing.db, sql`select citus_rebalance_start(shard_transfer_mode => 'force_logical')`);
      await expect
        .poll(
          async () =>
            (await many<{ state: string }>(growing.db, sql`select state::text from citus_rebalance_status()`)).map(
              ({ state }) => state,
            ),
          { timeout: 150_000, interval: 500 },
        )
        .toEqual(['finished']);
    } finally {
      for (const { end } of writings) await end();
    }
    expect(await basesOn()).toEqual(['0', '2', '2']);
    for (const [at, tableId] of tables.entries()) await demandAllOnce(owner, tableId, writings[at] as Writing);
    await growing.close();
  } finally {
    await dropOnCluster(server, name, { coordinator, nodes });
  }
});

test('a node or a base that is not there is named', async () => {
  const [, node] = await nodesNow();
  expect((await rowhouse(world().databaseUrl, 'base', 'move', 'bseXXXXXXXXXXXXXXXX', node!.node)).err).toContain(
    'bseXXXXXXXXXXXXXXXX',
  );
  expect((await rowhouse(world().databaseUrl, 'base', 'move', 'bseXXXXXXXXXXXXXXXX', 'nowhere:1')).err).toContain(
    'there is no node "nowhere:1"',
  );
});
