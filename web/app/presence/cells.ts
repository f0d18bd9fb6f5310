// Which cells the others in a table are in, as its stream says; and where oneself is, for them.
import { type EventData, showCell } from '@rowhouse/contract/event.ts';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { call } from '../call.ts';
import { useMe } from '../me.ts';
import { currentViewing } from '../viewing.ts';
import { hueOf } from '../../ui/avatar.tsx';
import { usePresent } from './present.ts';

type Position = EventData<'presence.cell'>;

export interface OtherCell {
  userId: string;
  name: string;
  color: string;
  recordId: string;
  fieldId: string;
}

const nowhere: ReadonlyMap<string, Position> = new Map();
const cells = new Map<string, ReadonlyMap<string, Position>>();
const listeners = new Set<() => void>();

export const setCell = (position: Position): void => {
  cells.set(position.tableId, new Map(cells.get(position.tableId)).set(position.userId, position));
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Dark enough for white letters on it. */
export const colorOf = (userId: string): string => `oklch(0.52 0.14 ${hueOf(userId)})`;

/** Those who have left the table are in no cell of it. */
export const useOtherCells = (tableId: string): readonly OtherCell[] => {
  const me = useMe().id;
  const users = usePresent(tableId);
  const known = useSyncExternalStore(subscribe, () => cells.get(tableId) ?? nowhere);
  return useMemo(
    () =>
      users.flatMap(({ id, name }): OtherCell[] => {
        const position = id === me ? undefined : known.get(id);
        return position === undefined || position.recordId === null || position.fieldId === null
          ? []
          : [{ userId: id, name, color: colorOf(id), recordId: position.recordId, fieldId: position.fieldId }];
      }),
    [users, known, me],
  );
};

const atMostEvery = 250;

/** Says where the cursor is, to those who are here; also to those who come later. */
export const useShowCell = (tableId: string, recordId: string | undefined, fieldId: string | undefined): void => {
  const me = useMe().id;
  const others = usePresent(tableId)
    .filter(({ id }) => id !== me)
    .map(({ id }) => id)
    .join(' ');
  const [told] = useState({ time: 0, isIn: false });
  useEffect(() => {
    const isIn = recordId !== undefined && fieldId !== undefined;
    if (currentViewing() !== null || others === '' || (!isIn && !told.isIn)) return undefined;
    const tell = (): void => {
      told.time = Date.now();
      told.isIn = isIn;
      // Nobody misses it when it is lost.
      call(showCell, {
        params: { tableId },
        body: { recordId: isIn ? recordId : null, fieldId: isIn ? fieldId : null },
      }).catch(() => undefined);
    };
    const timer = setTimeout(tell, Math.max(0, told.time + atMostEvery - Date.now()));
    return () => clearTimeout(timer);
  }, [tableId, recordId, fieldId, others, told]);
};
