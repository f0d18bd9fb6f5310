// A step of a job is done as the one who started it, with the token they started it with: what they may no longer do stops it.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import { demand, resolveAccess } from '../../catalog/access.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import type { TableAccess, TableContext } from '../../pipeline/pipeline.ts';
import { Stale } from '../../pipeline/stale.ts';
import { GiveUp, type RunningJob } from '../../work/job.ts';

export interface Started {
  tableId: string;
  by: Pick<Principal, 'userId' | 'tokenId' | 'clientId'>;
}

const reasonOf = ({ code, message }: ApiError): string => {
  if (code === 'unauthorized') return 'the account or token that started it is not valid any more';
  if (code === 'not_found') return 'the table was deleted, or is no longer shared with the person who started it';
  return `the person who started it may not go on: ${message}`;
};

export const starterContext = async (tx: Tx, services: Services, { id, payload }: RunningJob<Started>, actions: readonly Action[]): Promise<TableContext> => {
  const { tableId, by } = payload;
  try {
    const access = (await resolveAccess(tx, { kind: 'starter', ...by }, { type: 'table', id: tableId, trashed: false })) as TableAccess;
    for (const action of actions) demand(access, action, tableId);
    const { principal } = access;
    return { ...services, db: tx, principal, access, requestId: id, from: { ip: '', userAgent: null }, refresh: () => Promise.reject(new Stale('access')), noteOperation: () => undefined };
  } catch (error) {
    throw error instanceof ApiError && error.status < 500 ? new GiveUp(`Stopped: ${reasonOf(error)}`) : error;
  }
};

const mostTries = 20;

/** Begun again when somebody changed the table or a role meanwhile. */
export const untilFresh = async <T>(services: Services, tableId: string, work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Stale) || tries >= mostTries) throw error;
      services.catalog.forget(tableId);
    }
  }
};
