import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Pin } from '@rowhouse/contract/pin.ts';
import type { Context } from '../../context.ts';
import { insertPin, lockPins, removePin, selectPins, type Target, writeOrder } from './pin.sql.ts';
import { findPlace, isSeen } from './find-place.ts';
import type { Seen } from './location.sql.ts';
import { seenPlaces } from './seen-places.ts';

export const createPin = async ({ db, principal: { userId } }: Context, target: Target): Promise<void> => {
  const location = await findPlace(db, userId, target);
  if (!(await insertPin(db, userId, target, location)))
    throw invalid({
      path: 'id',
      message: `The ${target.type} ${target.id} is pinned already`,
      expected: `a ${target.type} that is not pinned`,
    });
};

export const deletePin = async ({ db, principal: { userId } }: Context, target: Target): Promise<void> => {
  if (!(await removePin(db, userId, target))) throw notFound('Pin', target.id.slice(0, 50));
};

export const listPins = async ({ db, principal: { userId } }: Context): Promise<Pin[]> => {
  const pins = await selectPins(db, userId);
  const bases = new Set(pins.flatMap(({ type, baseId }) => (type === 'table' || type === 'view' ? [baseId] : [])));
  const seen = new Map<string | null, Seen | null>();
  for (const baseId of bases) if (baseId !== null) seen.set(baseId, await seenPlaces(db, userId, baseId));
  const there = pins.filter(({ type, id, baseId }) => isSeen(seen.get(baseId) ?? null, { type, id }));
  return there.map(({ type, id, order, name, icon, baseId, tableId, viewType }) => ({
    type,
    id,
    order,
    name,
    ...(icon === null ? {} : { icon }),
    ...(type === 'table' || type === 'view' ? { parentBaseId: baseId as string } : {}),
    ...(viewType === null ? {} : { viewMeta: { tableId: tableId as string, type: viewType } }),
  }));
};

export const movePin = (
  { db, principal: { userId } }: Context,
  target: Target,
  anchor: Target,
  position: 'before' | 'after',
): Promise<void> =>
  db.transaction(async (tx) => {
    const pins = await lockPins(tx, userId);
    const isThe =
      (wanted: Target) =>
      (pin: Target): boolean =>
        pin.type === wanted.type && pin.id === wanted.id;
    for (const wanted of [target, anchor]) if (!pins.some(isThe(wanted))) throw notFound('Pin', wanted.id.slice(0, 50));
    const rest = pins.filter((pin) => !isThe(target)(pin));
    const at = rest.findIndex(isThe(anchor));
    // Beside itself: it stays where it is.
    if (at >= 0) await writeOrder(tx, userId, rest.toSpliced(position === 'before' ? at : at + 1, 0, target));
  });
