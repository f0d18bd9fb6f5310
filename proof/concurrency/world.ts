// What all clients share: two servers, tables that everyone writes to, and a record of every request that had an effect.
import { convertField, updateField } from '@rowhouse/contract/field.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { type Line, type Reply } from '../client.ts';
import type { Failures } from '../failures.ts';
import type { Random } from '../random.ts';
import { good, type Stage } from '../stage.ts';

export type Fields = Record<string, unknown>;

/** What was asked for, by the operation that did it. */
export type Deed =
  | { kind: 'create'; rows: { id: string; fields: Fields }[] }
  | { kind: 'update'; rows: { id: string; fields: Fields }[]; answer: { id: string; fields: Fields }[] }
  | { kind: 'delete'; ids: string[] }
  | { kind: 'restore'; of: string; recordIds: readonly string[] };

export interface SharedTable {
  id: string;
  viewId: string;
  fieldIds: { name: string; count: string; kind: string; tags: string };
  /** Records that are probably there. */
  ids: string[];
  deeds: Map<string, Deed>;
  /** Operations that can be taken back. */
  undoable: string[];
  /** Operations that deleted records. */
  deletions: string[];
  /** Fields that a client added and has not deleted. */
  added: Set<string>;
}

export interface World {
  stage: Stage;
  /** One per server: each request takes another. */
  lines: Line[];
  failures: Failures;
  tables: SharedTable[];
  statuses: Map<string, number>;
  requests: number;
  limit: number;
  /** Counts that nobody wrote before. */
  nextCount: () => number;
}

const name = { name: 'Name', type: 'singleLineText' as const };
const count = { name: 'Count', type: 'number' as const };

export const newTable = async (
  line: Line,
  baseId: string,
  title: string,
  choices = false,
): Promise<ResponseOf<typeof createTable>> => {
  const selects = [
    { name: 'Kind', type: 'singleSelect' as const },
    { name: 'Tags', type: 'multipleSelect' as const },
  ];
  return good(
    await line.call(createTable, {
      params: { baseId },
      body: { name: title, fields: [name, count, ...(choices ? selects : [])], records: [] },
    }),
  ).body;
};

export const newSharedTable = async (line: Line, baseId: string, title: string): Promise<SharedTable> => {
  const made = await newTable(line, baseId, title, true);
  const [nameId, countId, kindId, tagsId] = made.fields.map((field) => field.id) as [string, string, string, string];
  return {
    id: made.id,
    viewId: made.defaultViewId as string,
    fieldIds: { name: nameId, count: countId, kind: kindId, tags: tagsId },
    ids: [],
    deeds: new Map(),
    undoable: [],
    deletions: [],
    added: new Set(),
  };
};

/** Counts the request and its answer; anything but the statuses that are expected is a failure. */
export const judge = <T>(world: World, what: string, reply: Reply<T>, ...statuses: number[]): reply is Reply<T> => {
  world.requests += 1;
  const key = `${what} ${reply.status}`;
  world.statuses.set(key, (world.statuses.get(key) ?? 0) + 1);
  // A deadlock, or a storm of changes that was given up on: no answer to a client that did nothing wrong.
  const gaveUp = reply.status === 409 && !/stand in the way/.test(reply.error.message);
  world.failures.demand(
    statuses.includes(reply.status) && !gaveUp,
    () => `${what} was answered ${reply.status}: ${JSON.stringify(reply.body).slice(0, 300)}`,
  );
  return reply.status < 300;
};

/** Renames a field, or makes its text longer or shorter. */
export const reshapeField = async (
  world: World,
  line: Line,
  random: Random,
  params: { tableId: string; fieldId: string },
): Promise<void> => {
  if (random.once(2)) {
    const body = { name: `Renamed ${world.nextCount()}` };
    judge(world, 'rename a field', await line.call(updateField, { params, body }), 200);
    return;
  }
  const body = { type: random.pick(['longText', 'singleLineText'] as const) };
  judge(world, 'convert a field', await line.call(convertField, { params, body }), 200);
};
