// Small creates of one caller that reach a table while others are under way go together in the next statement. Each
// keeps its own operation and its own answer. Apart, sixteen clients would wait for sixteen statements and as many
// writes to the disk.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { Db } from '../../../db/db.ts';
import { sqlState } from '../../../db/error.ts';
import type { Stored } from '../../cell/type.ts';
import type { Column } from './cells.ts';
import type { Guard } from '../../../pipeline/guard.sql.ts';
import { type CreateOperation, type Inserted, insertRows, type NewRows } from './insert.sql.ts';

export interface Create {
  guard: Guard;
  rows: NewRows & { order: null };
  keyType: FieldKeyType;
  operation: CreateOperation;
}

interface Waiting {
  create: Create;
  done: (inserted: Inserted | undefined) => void;
  failed: (error: unknown) => void;
}

interface Lane {
  running: number;
  waiting: Waiting[];
}

/** Larger requests gain nothing from company. */
const small = 50;
const mostRows = 500;
/** One statement may wait for the disk while the other is worked on. */
const atOnce = 2;

const lanesOf = new WeakMap<object, Map<string, Lane>>();

/** Those with the same key rest on the same facts, so one guard holds for all of them. */
const keyOf = ({ guard, keyType, operation }: Create): string =>
  `${guard.table.id} ${guard.table.version} ${guard.spaceId} ${guard.epoch} ${keyType} ${operation.actor} ${operation.tokenId} ${operation.clientId}`;

const merged = (creates: readonly [Create, ...Create[]]): NewRows => {
  const ids = creates.flatMap(({ rows }) => rows.ids);
  const columns = new Map<string, Column>();
  let first = 0;
  for (const { rows } of creates) {
    for (const { field, type, values } of rows.columns) {
      const column = columns.get(field.id) ?? { field, type, values: new Array<Stored>(ids.length).fill(null) };
      columns.set(field.id, column);
      for (let at = 0; at < values.length; at += 1) column.values[first + at] = values[at] as Stored;
    }
    first += rows.ids.length;
  }
  return { sight: creates[0].rows.sight, ids, columns: [...columns.values()], order: null };
};

const part = ({ createdTime, autoNumbers, names, computed }: Inserted, first: number, count: number): Inserted => ({
  createdTime,
  autoNumbers: autoNumbers.slice(first, first + count),
  names: names?.slice(first, first + count) ?? null,
  computed: computed?.slice(first, first + count) ?? null,
});

const alone = async (db: Db, { create: { guard, rows, keyType, operation }, done, failed }: Waiting): Promise<void> => {
  try {
    done(await insertRows(db, guard, rows, keyType, [operation]));
  } catch (error) {
    failed(error);
  }
};

/** A value that the database refuses, of which it wrote nothing: only the request that sent it shall fail. */
const isRefusal = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '');

const together = async (db: Db, requests: readonly Waiting[]): Promise<void> => {
  const creates = requests.map(({ create }) => create) as [Create, ...Create[]];
  const { guard, keyType } = creates[0];
  try {
    const inserted = await insertRows(db, guard, merged(creates), keyType, creates.map(({ operation }) => operation));
    let first = 0;
    for (const { create, done } of requests) {
      done(inserted === undefined ? undefined : part(inserted, first, create.rows.ids.length));
      first += create.rows.ids.length;
    }
  } catch (error) {
    if (isRefusal(error)) await Promise.all(requests.map((request) => alone(db, request)));
    else for (const { failed } of requests) failed(error);
  }
};

const nextOf = ({ waiting }: Lane): Waiting[] => {
  let end = 0;
  for (let rows = 0; end < waiting.length; end += 1) {
    rows += (waiting[end] as Waiting).create.rows.ids.length;
    if (rows > mostRows) break;
  }
  return waiting.splice(0, end);
};

const start = (db: Db, lanes: Map<string, Lane>, key: string, lane: Lane, requests: Waiting[]): void => {
  lane.running += 1;
  const [first] = requests;
  const work = first !== undefined && requests.length === 1 ? alone(db, first) : together(db, requests);
  void work.finally(() => {
    lane.running -= 1;
    if (lane.waiting.length > 0) start(db, lanes, key, lane, nextOf(lane));
    else if (lane.running === 0) lanes.delete(key);
  });
};

/** As `insertRows` for one request. Those who see only a part are answered on their own. */
export const insertTogether = (db: Db, create: Create): Promise<Inserted | undefined> => {
  const { guard, rows, keyType, operation } = create;
  if (rows.ids.length > small || !rows.sight.isWhole) return insertRows(db, guard, rows, keyType, [operation]);
  // Others wait for these statements too, when the one who began them hangs up.
  const { shared } = db;
  const lanes = lanesOf.get(db.identity) ?? new Map<string, Lane>();
  lanesOf.set(db.identity, lanes);
  const key = keyOf(create);
  const lane = lanes.get(key) ?? { running: 0, waiting: [] };
  lanes.set(key, lane);
  return new Promise((done, failed) => {
    const request = { create, done, failed };
    if (lane.running < atOnce) start(shared, lanes, key, lane, [request]);
    else lane.waiting.push(request);
  });
};
