// Acting for somebody whose request was answered long ago: a job does each of its steps as the person who started it, with the token they started it with.
// Rights are those of the moment. An account that was deactivated, a token that was deleted, a role or scope that was taken away, a base that is no longer
// shared: each ends the job with its reason. They see what they see in a request: the sight comes with the access.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import { demandStarter } from '../catalog/access.ts';
import type { Resource } from '../catalog/access.sql.ts';
import type { Principal } from '../catalog/principal.ts';
import type { Context, Environment, Services } from '../context.ts';
import type { Handle } from '../db/db.ts';
import { isSafeToRepeat, passesOf } from '../db/error.ts';
import { backOff, GiveUp, passing } from '../work/job.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepsChanging, type TableAccess, type TableContext } from './pipeline.ts';
import { Stale } from './stale.ts';

/** What a job keeps of the request that started it. */
export type Actor = Pick<Principal, 'userId' | 'tokenId' | 'clientId'>;

export const actorOf = ({ principal: { userId, tokenId, clientId } }: Pick<Context, 'principal'>): Actor => ({
  userId,
  tokenId,
  clientId,
});

type ActingPlace = Pick<Resource, 'type' | 'id'>;

/** A context at a place for somebody, by what they may there now. A refusal is an ApiError, as in a request. `db` is the pool, or a transaction. */
export const contextOf = async <Db extends Handle>(
  environment: Omit<Environment, 'db'>,
  db: Db,
  by: Actor,
  place: ActingPlace,
  actions: readonly Action[],
  requestId: string,
): Promise<Context & { db: Db }> => {
  const decide = () => demandStarter(db, by, { ...place, actions });
  const access = await decide();
  return {
    ...environment,
    db,
    principal: access.principal,
    access,
    requestId,
    from: { ip: null, userAgent: null },
    refresh: decide,
    noteOperation: () => undefined,
  };
};

const reasonOf = ({ code, message }: ApiError, { type }: ActingPlace): string => {
  if (code === 'unauthorized') return 'the account or token that started it is not valid any more';
  if (code === 'not_found') return `the ${type} was deleted, or is no longer shared with the person who started it`;
  return `the person who started it may not go on: ${message}`;
};

/** For a job: a refusal ends it. What passes, such as a lock on the way to the answer, is no refusal. */
export const actAs = async <Db extends Handle>(
  services: Omit<Environment, 'db'>,
  db: Db,
  by: Actor,
  place: ActingPlace,
  actions: readonly Action[],
  requestId: string,
): Promise<Context & { db: Db }> => {
  const orGiveUp = <T>(decided: Promise<T>): Promise<T> =>
    decided.catch((error: unknown) => {
      throw error instanceof ApiError && passesOf(error) === 'no'
        ? new GiveUp(`Stopped: ${reasonOf(error, place)}`)
        : error;
    });
  const context = await orGiveUp(contextOf(services, db, by, place, actions, requestId));
  return { ...context, refresh: () => orGiveUp(context.refresh()) };
};

/** On a table, within the transaction of a step: rights that changed since begin the step again. */
export const actInTable = async <Db extends Handle>(
  services: Omit<Environment, 'db'>,
  db: Db,
  by: Actor,
  tableId: string,
  actions: readonly Action[],
  requestId: string,
): Promise<TableContext & { db: Db }> => {
  const context = await actAs(services, db, by, { type: 'table', id: tableId }, actions, requestId);
  return { ...context, access: context.access as TableAccess, refresh: () => Promise.reject(new Stale('access')) };
};

const mostTries = 20;

/** A step that is begun again when somebody changed the table or a role meanwhile. When that goes on, it passes. */
export const untilFresh = async <T>(
  { catalog }: Pick<Services, 'catalog'>,
  tableId: string,
  work: () => Promise<T>,
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      if (tries >= mostTries) throw keepsChanging();
      catalog.forget(tableId);
    }
  }
};

/** Part of a job that has no cursor to go on from: what passes and has certainly done nothing is waited for here, for as long as the job is wanted. */
export const untilPassed = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  for (let waits = 1; ; waits += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isSafeToRepeat(error)) throw error;
      await sleep(backOff(waits, passing) * 1_000, undefined, { signal });
    }
  }
};
