import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type * as contract from '@rowhouse/contract/last-visit.ts';
import type { Context } from '../../context.ts';
import { findPlace } from './find-place.ts';
import { seenPlaces } from './seen-places.ts';
import { forgetOldBases, selectLastBases, selectLastTable, selectLastViews, writeVisit } from './visit.sql.ts';

export const noteVisit = async (
  { db, principal: { userId } }: Context,
  { resourceType, resourceId, parentResourceId, childResourceId }: BodyOf<typeof contract.noteVisit>,
): Promise<void> => {
  const location = await findPlace(db, userId, { type: resourceType, id: resourceId });
  if (location.baseId === null) throw notFound('Base', resourceId.slice(0, 50));
  const parentId =
    resourceType === 'base' ? location.spaceId : resourceType === 'table' ? location.baseId : location.tableId;
  if (parentId !== parentResourceId)
    throw invalid({
      path: 'parentResourceId',
      message: `The ${resourceType} ${resourceId} is not in it`,
      expected: `what the ${resourceType} is in`,
    });
  await writeVisit(db, userId, {
    resourceType,
    resourceId,
    parentId,
    childId: childResourceId ?? null,
    baseId: location.baseId,
  });
  if (resourceType === 'base') await forgetOldBases(db, userId);
};

const parents = { base: 'space', table: 'base', view: 'table' } as const;

export const getLastVisit = async (
  context: Context,
  resourceType: contract.VisitType,
  parentId: string,
): Promise<contract.LastVisit | null> => {
  const {
    db,
    principal: { userId },
  } = context;
  const { baseId } = await findPlace(db, userId, { type: parents[resourceType], id: parentId });
  const seen = baseId === null ? null : await seenPlaces(db, userId, baseId);
  if (resourceType === 'table') {
    const found = await selectLastTable(db, userId, parentId, seen);
    return found === undefined
      ? null
      : {
          resourceType,
          resourceId: found.resourceId,
          ...(found.childId === null ? {} : { childResourceId: found.childId }),
        };
  }
  const [id] =
    resourceType === 'view'
      ? (await selectLastViews(db, userId, { tableId: parentId }, seen)).map(({ viewId }) => viewId)
      : (await selectLastBases(db, userId, parentId)).map((base) => base.id);
  return id === undefined ? null : { resourceType, resourceId: id };
};

export const getLastVisitMap = async (
  context: Context,
  baseId: string,
): Promise<ResponseOf<typeof contract.getLastVisitMap>> => {
  const {
    db,
    principal: { userId },
  } = context;
  await findPlace(db, userId, { type: 'base', id: baseId });
  const views = await selectLastViews(db, userId, { baseId }, await seenPlaces(db, userId, baseId));
  return Object.fromEntries(
    views.map(({ tableId, viewId }) => [
      tableId,
      { resourceType: 'view' as const, parentResourceId: tableId, resourceId: viewId },
    ]),
  );
};

export const listLastBases = async ({
  db,
  principal: { userId },
}: Context): Promise<ResponseOf<typeof contract.listLastBases>> => {
  const list = (await selectLastBases(db, userId, null)).map(({ time, ...resource }) => ({
    resourceType: 'base' as const,
    resourceId: resource.id,
    lastVisitTime: time,
    resource,
  }));
  return { total: list.length, list };
};
