// Mixed load: creates, updates, restores, deletes and what was deleted brought back, people named, and a plan that changes. Every answer goes into the
// ledger; no answer, or 503, leaves it open whether it was done.
import { setSpacePlan } from '@rowhouse/contract/billing.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { type Line, openLine, type Reply } from '../client.ts';
import type { Failures } from '../failures.ts';
import { loggedOf } from '../program.ts';
import type { Random } from '../random.ts';
import type { Ledger, Sent } from './ledger.ts';
import type { Ground } from './ground.ts';

interface Work {
  ground: Ground;
  ledger: Ledger;
  failures: Failures;
  random: Random;
  /** Makes names, counts and keys that nobody else makes. */
  mark: number;
  isOver: () => boolean;
}

interface Worker extends Work {
  line: Line;
  /** Records of its own, which nobody is named in. */
  own: string[];
  operations: string[];
  /** What was created together, and by which operation. */
  creations: { ids: string[]; operation: string }[];
  /** What was deleted, and by which operation. */
  deletions: { id: string; operation: string }[];
  round: number;
}

/** Undefined when nobody knows whether it was done. */
const settled = async <T>({ ledger }: Work, sent: Promise<Reply<T>>): Promise<Reply<T> | undefined> => {
  const reply = await sent.catch(() => undefined);
  if (reply === undefined || reply.status === 503) {
    ledger.unanswered += 1;
    return undefined;
  }
  if (reply.status < 300) ledger.acknowledged += 1;
  return reply;
};

const expect = ({ failures }: Work, reply: Reply<unknown>, ...statuses: number[]): boolean => {
  failures.demand(
    statuses.includes(reply.status),
    () =>
      `answered ${reply.status}: ${JSON.stringify(reply.body).slice(0, 300)} ${loggedOf(JSON.stringify(reply.body))}`,
  );
  return reply.status < 300;
};

/** Everybody is told once that they are named: what names somebody is not taken back, or taking that back would tell them again. */
const note = (
  { ledger, operations }: Worker,
  reply: Reply<unknown>,
  { mayBeUndone }: { mayBeUndone: boolean },
): string | undefined => {
  const operation = reply.headers['x-operation-id'];
  if (typeof operation !== 'string') return undefined;
  ledger.operations.add(operation);
  if (mayBeUndone) operations.push(operation);
  return operation;
};

const create = async (worker: Worker): Promise<void> => {
  const { ground, ledger, random, line, mark, round } = worker;
  const isNaming = random.once(3);
  const names = Array.from({ length: isNaming ? 1 : 1 + random.below(3) }, (_, at) => `${mark}-${round}-${at}`);
  const sent: Sent = {
    key: `${mark}-${round}`,
    body: {
      records: names.map((name) => ({
        fields: { Name: name, Count: 0, ...(isNaming ? { Person: { id: ground.named.userId } } : {}) },
      })),
    },
  };
  const reply = await settled(
    worker,
    line.call(createRecords, {
      params: { tableId: ground.tableId },
      body: sent.body,
      headers: { 'idempotency-key': sent.key },
    }),
  );
  if (reply === undefined) {
    ledger.unsure.add(sent);
    return;
  }
  if (!expect(worker, reply, 201)) return;
  const operation = note(worker, reply, { mayBeUndone: false });
  for (const record of reply.body.records) {
    ledger.created.set(record.id, record.fields['Name'] as string);
    if (isNaming) ledger.naming.add(record.id);
    else worker.own.push(record.id);
  }
  if (!isNaming && operation !== undefined)
    worker.creations.push({ ids: reply.body.records.map(({ id }) => id), operation });
};

const update = async (worker: Worker): Promise<void> => {
  const { ground, ledger, random, line, mark, round } = worker;
  const ids = random.shuffled(ground.shared).slice(0, 1 + random.below(4));
  const count = mark * 100_000 + round;
  const naming =
    random.once(4) && worker.own.length > 0 ? worker.own.splice(random.below(worker.own.length), 1)[0] : undefined;
  const records: { id: string; fields: Record<string, unknown> }[] = ids.map((id) => ({
    id,
    fields: { Count: count },
  }));
  if (naming !== undefined) records.push({ id: naming, fields: { Person: { id: ground.named.userId } } });
  const reply = await settled(
    worker,
    line.call(updateRecords, { params: { tableId: ground.tableId }, body: { records } }),
  );
  if (reply === undefined) {
    if (naming !== undefined) ledger.unsureNaming.add(naming);
    return;
  }
  if (!expect(worker, reply, 200)) return;
  note(worker, reply, { mayBeUndone: naming === undefined });
  for (const id of ids) ledger.written.add(`${id}:${count}`);
  if (naming !== undefined) ledger.naming.add(naming);
};

const restore = async (worker: Worker): Promise<void> => {
  const { ground, random, line } = worker;
  if (worker.operations.length === 0) return;
  const reply = await settled(
    worker,
    line.call(restoreHistory, {
      params: { tableId: ground.tableId },
      body: { operationId: random.pick(worker.operations), force: random.once(2) },
    }),
  );
  if (reply !== undefined && expect(worker, reply, 200, 409)) note(worker, reply, { mayBeUndone: true });
};

const remove = async (worker: Worker): Promise<void> => {
  const { ground, ledger, random, line } = worker;
  const [id] = worker.own.splice(random.below(worker.own.length), 1);
  if (id === undefined) return;
  const reply = await settled(
    worker,
    line.call(deleteRecords, { params: { tableId: ground.tableId }, query: { recordIds: [id] } }),
  );
  if (reply === undefined) ledger.unsureDeleted.add(id);
  else if (expect(worker, reply, 200)) {
    const operation = reply.headers['x-operation-id'] as string;
    ledger.operations.add(operation);
    ledger.deleted.add(id);
    worker.deletions.push({ id, operation });
  }
};

/** Undoes a create of which nothing was deleted or named since: its records go. */
const undoCreate = async (worker: Worker): Promise<void> => {
  const { ground, ledger, random, line, creations } = worker;
  const [creation] = creations.splice(random.below(creations.length), 1);
  if (creation === undefined || !creation.ids.every((id) => worker.own.includes(id))) return;
  worker.own = worker.own.filter((id) => !creation.ids.includes(id));
  const reply = await settled(
    worker,
    line.call(restoreHistory, { params: { tableId: ground.tableId }, body: { operationId: creation.operation } }),
  );
  if (reply === undefined) for (const id of creation.ids) ledger.unsureDeleted.add(id);
  else if (expect(worker, reply, 200)) {
    note(worker, reply, { mayBeUndone: false });
    for (const id of creation.ids) ledger.deleted.add(id);
  }
};

/** Never twice: it would not be known whether the first time it was done. */
const bringBack = async (worker: Worker): Promise<void> => {
  const { ground, ledger, random, line, deletions } = worker;
  const [deletion] = deletions.splice(random.below(deletions.length), 1);
  if (deletion === undefined) return;
  const reply = await settled(
    worker,
    line.call(restoreHistory, { params: { tableId: ground.tableId }, body: { operationId: deletion.operation } }),
  );
  if (reply === undefined) ledger.unsureDeleted.add(deletion.id);
  else if (expect(worker, reply, 200)) {
    note(worker, reply, { mayBeUndone: false });
    ledger.deleted.delete(deletion.id);
    worker.own.push(deletion.id);
  }
};

const step = (worker: Worker): Promise<void> => {
  const dice = worker.random.below(15);
  if (dice < 4) return create(worker);
  if (dice < 9) return update(worker);
  if (dice < 11) return restore(worker);
  if (dice < 13) return remove(worker);
  return dice < 14 ? bringBack(worker) : undoCreate(worker);
};

const levels = ['free', 'plus', 'pro', 'enterprise'];

/** One at a time, so that it is known which was the last. */
export const changePlans = async (work: Work): Promise<void> => {
  const { ground, ledger, random } = work;
  const line = openLine(ground.origin, ground.token);
  while (!work.isOver() && ledger.unsureLevel === undefined) {
    const level = random.pick(levels.filter((each) => each !== ledger.level));
    ledger.unsureLevel = level;
    const reply = await settled(
      work,
      line.call(setSpacePlan, { params: { spaceId: ground.spaceId }, body: { level } }),
    );
    if (reply === undefined) break;
    if (expect(work, reply, 200)) {
      ledger.level = level;
      ledger.planChanges += 1;
    }
    ledger.unsureLevel = undefined;
    await new Promise((passed) => setTimeout(passed, 20 + random.below(100)));
  }
  line.hangUp();
};

export const work = async (given: Work): Promise<void> => {
  const line = openLine(given.ground.origin, given.ground.token);
  const worker: Worker = { ...given, line, own: [], operations: [], creations: [], deletions: [], round: 0 };
  for (; !given.isOver(); worker.round += 1) await step(worker);
  line.hangUp();
};
