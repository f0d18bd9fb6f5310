// Small writes of one caller that reach a table while others are under way go together in the next statement. Each keeps
// its own operation and its own answer. Apart, sixteen clients would wait for sixteen statements and as many writes to
// the disk.
import { ApiError } from '@rowhouse/contract/error.ts';
import { busy } from '../../../db/connection-shares.ts';
import type { Db } from '../../../db/db.ts';
import { sqlState } from '../../../db/error.ts';
import type { Guard } from '../../../pipeline/guard.sql.ts';
import { isTakenBack } from '../../../pipeline/stale.ts';
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { OperationFacts } from '../../../catalog/operation.sql.ts';

/** A kind of write that may have company. */
interface Joinable<Request, Result> {
  alone(db: Db, request: Request): Promise<Result>;
  /** One result for each request. Undefined: nothing was written, and each has to see for itself why. */
  together(db: Db, requests: readonly [Request, ...Request[]]): Promise<readonly Result[] | undefined>;
  /** Takes those that can go in one statement out of the list; at least the first of them. */
  takeNext<Each extends { request: Request }>(waiting: Each[]): Each[];
}

interface Waiting<Request, Result> {
  /** Of the caller alone: what runs on it ends when they hang up. */
  db: Db;
  request: Request;
  /** Of `performance.now()`. */
  since: number;
  done: (result: Result) => void;
  failed: (error: unknown) => void;
}

interface Lane<Request, Result> {
  running: number;
  waiting: Waiting<Request, Result>[];
}

/** One statement may wait for the disk while the other is worked on. */
const atOnce = 2;

/** Those with the same key rest on the same facts and are by the same caller, so one guard holds for all of them. */
export const sharedKey = (
  { table, spaceId, epoch }: Guard,
  keyType: FieldKeyType,
  { actor, tokenId, clientId }: OperationFacts,
): string => `${table.id} ${table.version} ${spaceId} ${epoch} ${keyType} ${actor} ${tokenId} ${clientId}`;

/**
 * The database has answered that it did not do it, because of one of them: only that one shall fail. After a lost
 * connection nobody knows whether it did, and none is run again; nor after waiting in vain for a lock, since each would wait again.
 */
const isRefusal = (error: unknown): boolean =>
  isTakenBack(error) ||
  /^2[23]/.test(sqlState(error) ?? '') ||
  (error instanceof ApiError && error.code === 'validation_error');

export const createLanes = <Request, Result>({
  alone,
  together,
  takeNext,
}: Joinable<Request, Result>): ((db: Db, key: string, request: Request) => Promise<Result>) => {
  type Each = Waiting<Request, Result>;
  const lanesOf = new WeakMap<object, Map<string, Lane<Request, Result>>>();

  const runAlone = async ({ db, request, done, failed }: Each): Promise<void> => {
    try {
      done(await alone(db, request));
    } catch (error) {
      failed(error);
    }
  };

  const runTogether = async (group: readonly [Each, ...Each[]]): Promise<void> => {
    try {
      // The others wait for it too, when one of them hangs up.
      const results = await together(
        group[0].db.shared,
        group.map(({ request }) => request) as [Request, ...Request[]],
      );
      if (results === undefined) await Promise.all(group.map(runAlone));
      else group.forEach(({ done }, at) => done(results[at] as Result));
    } catch (error) {
      if (isRefusal(error)) await Promise.all(group.map(runAlone));
      else for (const { failed } of group) failed(error);
    }
  };

  const start = (lanes: Map<string, Lane<Request, Result>>, key: string, group: readonly [Each, ...Each[]]): void => {
    const lane = lanes.get(key) as Lane<Request, Result>;
    lane.running += 1;
    const work = group.length === 1 ? runAlone(group[0]) : runTogether(group);
    void work.finally(() => {
      lane.running -= 1;
      refuseTheLate(lane);
      if (lane.waiting.length > 0) start(lanes, key, takeNext(lane.waiting) as [Each, ...Each[]]);
      else if (lane.running === 0) lanes.delete(key);
    });
  };

  /** They have waited as long as anybody does for a connection: behind statements that wait for a lock. */
  const refuseTheLate = ({ waiting }: Lane<Request, Result>): void => {
    const now = performance.now();
    while (waiting[0] !== undefined && now - waiting[0].since > waiting[0].db.patience) waiting.shift()?.failed(busy());
  };

  return (db, key, request) => {
    const lanes = lanesOf.get(db.identity) ?? new Map<string, Lane<Request, Result>>();
    lanesOf.set(db.identity, lanes);
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    lanes.set(key, lane);
    return new Promise((done, failed) => {
      const each = { db, request, since: performance.now(), done, failed };
      if (lane.running < atOnce) start(lanes, key, [each]);
      else lane.waiting.push(each);
    });
  };
};
