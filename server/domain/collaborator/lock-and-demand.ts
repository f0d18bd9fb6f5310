import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { lockPlace, type Place } from './collaborator.sql.ts';
import { demandAccess, type Stand } from './demand-access.ts';

/**
 * The beginning of every change of roles. The caller's role is read again behind the lock: two owners who
 * demote each other at the same moment come one after the other, and the second is an owner no more.
 * People are no business of applications, also where the scope would do: `base|update` is one they can ask for.
 */
export const lockAndDemand = async (
  tx: Tx,
  context: Context,
  place: Place,
  action: Action,
  anyFactor = false,
): Promise<Stand> => {
  if (context.principal.kind === 'oauth') throw forbidden('A token of an application cannot manage who has access');
  if (!(await lockPlace(tx, place))) throw notFound(place.type === 'space' ? 'Space' : 'Base', place.id);
  return demandAccess(tx, context, { ...place, trashed: false, anyFactor }, action);
};
