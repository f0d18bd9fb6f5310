// After each kill: is everything that was acknowledged there, once, and does everything agree with everything?
import { setTimeout as sleep } from 'node:timers/promises';
import { getBilling, getSubscription } from '@rowhouse/contract/billing.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import type { Db } from '../../server/db/db.ts';
import { recountUsage } from '../../server/domain/plan/recount-usage.ts';
import { type Chain, checkEnds, readChain, readRecords, type Records } from '../chain.ts';
import { type Line, openLine, patientLine } from '../client.ts';
import type { Failures } from '../failures.ts';
import type { StreamReader } from '../follow.ts';
import { selectNotifications, selectOperations } from './check.sql.ts';
import type { Ledger } from './ledger.ts';
import type { Ground } from './ground.ts';

export interface Watch {
  ground: Ground;
  ledger: Ledger;
  failures: Failures;
  /** To the table, and to the inbox of anyone who is named. */
  table: StreamReader;
  inbox: StreamReader;
  chain: Chain;
  /** Operations from before anybody listened. */
  before: ReadonlySet<string>;
  /** Operations that the database is known to hold. */
  kept: Set<string>;
}

interface Check extends Watch {
  line: Line;
  db: Db;
}

const settleCreates = async ({ ledger, line, ground, failures }: Check): Promise<void> => {
  for (const sent of ledger.unsure) {
    const again = await line.call(createRecords, {
      params: { tableId: ground.tableId },
      body: sent.body,
      headers: { 'idempotency-key': sent.key },
    });
    failures.demand(
      again.status === 201,
      () => `the create ${sent.key}, sent again: ${again.status} ${JSON.stringify(again.body).slice(0, 300)}`,
    );
    if (again.status !== 201) continue;
    for (const record of again.body.records) {
      ledger.created.set(record.id, record.fields['Name'] as string);
      if (record.fields['Person'] !== undefined) ledger.naming.add(record.id);
    }
  }
  ledger.unsure.clear();
};

const checkRecords = ({ ledger, ground, failures }: Check, records: Records): void => {
  for (const id of ledger.unsureDeleted) {
    if (records.has(id)) ledger.deleted.delete(id);
    else ledger.deleted.add(id);
  }
  ledger.unsureDeleted.clear();
  for (const id of ledger.unsureNaming)
    if (records.get(id)?.[ground.fieldIds.person] !== undefined) ledger.naming.add(id);
  ledger.unsureNaming.clear();
  const lost = [...ledger.created].filter(
    ([id, name]) => !ledger.deleted.has(id) && records.get(id)?.[ground.fieldIds.name] !== name,
  );
  failures.none(
    'acknowledged records are not there',
    lost.map(([, name]) => name),
  );
  failures.none(
    'deleted records are there again',
    [...ledger.deleted].filter((id) => records.has(id)),
  );
  const known = new Set([...ledger.created.keys(), ...ground.shared]);
  failures.none(
    'records that nobody made',
    [...records.keys()].filter((id) => !known.has(id)),
  );
  const names = [...records.values()].map((fields) => fields[ground.fieldIds.name] as string);
  failures.none(
    'records that were made twice',
    names.filter((name, at) => names.indexOf(name) !== at),
  );
};

const checkHistory = async ({ line, ground, ledger, failures, chain }: Check, records: Records): Promise<void> => {
  const there = await readChain(line, ground.tableId, chain, failures);
  failures.none(
    'acknowledged changes are not in the history',
    [...ledger.written].filter((change) => !there.has(change)),
  );
  ledger.written.clear();
  checkEnds(chain, records, new Set(Object.values(ground.fieldIds)), failures);
};

const checkUsage = async ({ db, line, ground, failures }: Check, records: Records): Promise<void> => {
  failures.none('usage differs from a recount', await recountUsage(db, { repair: false }));
  const billing = await line.call(getBilling, { params: { spaceId: ground.spaceId } });
  const { numRows } = billing.body.plan.usage;
  failures.demand(numRows === records.size, () => `usage says ${numRows} records, there are ${records.size}`);
};

const checkPlan = async ({ line, ground, ledger, failures }: Check): Promise<void> => {
  const { level } = (await line.call(getSubscription, { params: { spaceId: ground.spaceId } })).body.base;
  if (ledger.unsureLevel !== undefined && level === ledger.unsureLevel) {
    ledger.level = level;
    ledger.planChanges += 1;
  }
  ledger.unsureLevel = undefined;
  failures.demand(level === ledger.level, () => `the plan is ${level}, ${ledger.level} was acknowledged`);
};

/** What a process that was killed had not handed on yet is found within a minute of the next start. */
const patiently = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline && !(await holds()); ) await sleep(250);
};

const twice = (list: readonly string[]): string[] => [...new Set(list.filter((one, at) => list.indexOf(one) !== at))];

const counted = (list: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
};

const checkTold = async ({ db, ground, ledger, failures, inbox }: Check): Promise<void> => {
  const read = async () => {
    const all = await selectNotifications(db);
    const mine = all.filter(({ userId }) => userId === ground.named.userId);
    return {
      mine: mine.map(({ id }) => id),
      naming: mine.map(({ path }) => /recordId=(\w+)/.exec(path)?.[1]).filter((id) => id !== undefined),
      plans: all.filter(
        ({ userId, message }) =>
          userId === ground.userId && message.startsWith('The subscription of the space Killing '),
      ).length,
    };
  };
  await patiently(async () => {
    const told = await read();
    return new Set(told.naming).size >= ledger.naming.size && told.plans >= ledger.planChanges;
  });
  const told = await read();
  const counts = counted(told.naming);
  failures.none(
    'people who were not told that they are named',
    [...ledger.naming].filter((id) => !counts.has(id)),
  );
  failures.none(
    'people who were told twice',
    [...counts].filter(([, count]) => count > 1),
  );
  failures.none(
    'people who were told of what is not so',
    [...counts.keys()].filter((id) => !ledger.naming.has(id)),
  );
  failures.demand(
    told.plans === ledger.planChanges,
    () => `${told.plans} notifications for ${ledger.planChanges} changes of the plan`,
  );
  const heard = (): string[] =>
    inbox.heard.filter(({ name }) => name === 'notification.created').map(({ data }) => data.notification.id as string);
  await patiently(() => new Set(heard()).size >= told.mine.length - 1);
  const ids = new Set(heard());
  // The first came before anybody listened: anyone who was let into the space is told so.
  failures.none(
    'notifications that were not heard',
    told.mine.slice(1).filter((id) => !ids.has(id)),
  );
  failures.none('notifications that were heard twice', twice(heard()));
};

const checkFeed = async (check: Check): Promise<void> => {
  const { db, ground, ledger, failures, table, before, kept } = check;
  const all = await selectOperations(db, ground.baseId, ground.tableId);
  for (const id of all) kept.add(id);
  failures.none(
    'acknowledged operations are not there',
    [...ledger.operations].filter((id) => !kept.has(id)),
  );
  ledger.operations.clear();
  const heard = (): string[] => table.heard.map(({ data }) => data.operationId as string);
  const expected = all.filter((id) => !before.has(id));
  await patiently(() => new Set(heard()).size >= expected.length);
  const ids = new Set(heard());
  failures.none(
    'events that were lost',
    expected.filter((id) => !ids.has(id)),
  );
  failures.demand(heard().length === ids.size, () => `events came twice: ${twice(heard()).slice(0, 5).join(', ')}`);
  failures.none(
    'events that say to read everything again',
    table.heard.filter(({ name }) => name === 'reload'),
  );
};

export const operationsOf = async (ground: Ground): Promise<Set<string>> => {
  const db = await ground.openDb();
  return new Set(await selectOperations(db, ground.baseId, ground.tableId).finally(() => db.close()));
};

const later = ({ ledger }: Watch) => {
  const deadline = Date.now() + 60_000;
  return async (what: string): Promise<void> => {
    if (Date.now() > deadline) throw new Error(`a minute after the fall it has not come to pass that ${what}`);
    ledger.putOff += 1;
    await sleep(250);
  };
};

export const checkAll = async (watch: Watch): Promise<void> => {
  const open = openLine(watch.ground.origin, watch.ground.token);
  // The coordinator of a cluster finds out when it asks that a connection to a node that fell is gone, with each of its own.
  const line =
    watch.ground.given?.isCluster === true ? patientLine(open, ({ status }) => status === 503, later(watch)) : open;
  const db = await watch.ground.openDb();
  const check: Check = { ...watch, line, db };
  try {
    await settleCreates(check);
    const records = await readRecords(line, watch.ground.tableId);
    checkRecords(check, records);
    await checkHistory(check, records);
    await checkUsage(check, records);
    await checkPlan(check);
    await checkTold(check);
    await checkFeed(check);
  } finally {
    line.hangUp();
    await db.close();
  }
};
