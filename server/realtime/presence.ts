// Who has a table open. Every process writes down whom its own streams belong to, and reads all; nothing of it is on
// the way of a write to a record.
import { randomText } from '@rowhouse/contract/id.ts';
import type { Services } from '../context.ts';
import { type Listener, verifyNow } from './listener.ts';
import { coalesce } from '../work/coalesce.ts';
import { enterVisits, leaveEverywhere, leaveVisits, type Visit, removeDead, selectPresent } from './presence.sql.ts';
import { eventText } from './sse.ts';

const renewEvery = 5_000;

interface Member extends Visit {
  /** The list that this listener was told last. */
  told: string | undefined;
}

export interface Presence {
  enter(listener: Listener, tableId: string): void;
  leave(listener: Listener): void;
  /** Those who have one of these tables open through this process, with the table. */
  listenersOf(tableIds: ReadonlySet<string>): [listener: Listener, tableId: string][];
  /** Somebody came to or left this table through another process. */
  wake(tableId: string): void;
  close(): Promise<void>;
}

const keyOf = ({ tableId, userId }: Visit): string => `${tableId} ${userId}`;

export const createPresence = ({ db, now, backgroundErrors }: Services, tell: (tableId: string) => void): Presence => {
  const process = randomText(12);
  const members = new Map<Listener, Member>();
  /** What stands in the database for this process, as far as it knows. */
  let written = new Map<string, Visit>();
  /** Tables whose list may have changed. */
  const unread = new Set<string>();
  let isRenewing = false;

  const write = async (): Promise<void> => {
    const wanted = new Map(
      [...members.values()].map(({ tableId, userId }) => [keyOf({ tableId, userId }), { tableId, userId }]),
    );
    const came = [...wanted].filter(([key]) => !written.has(key)).map(([, place]) => place);
    const left = [...written].filter(([key]) => !wanted.has(key)).map(([, place]) => place);
    const toEnter = isRenewing ? [...wanted.values()] : came;
    if (toEnter.length > 0) await enterVisits(db, process, toEnter);
    if (left.length > 0) await leaveVisits(db, process, left);
    if (isRenewing) await removeDead(db);
    written = wanted;
    for (const { tableId } of [...came, ...left]) {
      unread.add(tableId);
      tell(tableId);
    }
  };

  const read = async (): Promise<void> => {
    const followed = new Set([...members.values()].map(({ tableId }) => tableId));
    const tableIds = [...followed].filter((tableId) => isRenewing || unread.has(tableId));
    isRenewing = false;
    unread.clear();
    if (tableIds.length === 0) return;
    const present = await selectPresent(db, tableIds);
    const concerned = [...members]
      .filter(([, { tableId }]) => tableIds.includes(tableId))
      .map(([listener]) => listener);
    await verifyNow(db, concerned, now().getTime());
    for (const listener of concerned) {
      const member = members.get(listener);
      if (member === undefined) continue;
      const users = present.get(member.tableId) ?? '[]';
      if (users === member.told) continue;
      member.told = users;
      listener.send(eventText('presence.changed', `{"tableId":"${member.tableId}","users":${users}}`));
    }
  };

  const syncing = coalesce(
    async () => {
      await write();
      await read();
    },
    // Many who come at once are written down together.
    () => 50,
    (error) => backgroundErrors.note('live feed', error),
  );
  const renewal = setInterval(() => {
    if (members.size === 0 && written.size === 0) return;
    isRenewing = true;
    syncing.wake();
  }, renewEvery).unref();

  return {
    enter(listener, tableId) {
      members.set(listener, { tableId, userId: listener.access.principal.userId, told: undefined });
      unread.add(tableId);
      syncing.wake();
    },
    leave(listener) {
      if (members.delete(listener)) syncing.wake();
    },
    listenersOf: (tableIds) =>
      [...members]
        .filter(([, { tableId }]) => tableIds.has(tableId))
        .map(([listener, { tableId }]) => [listener, tableId]),
    wake(tableId) {
      unread.add(tableId);
      syncing.wake();
    },
    async close() {
      clearInterval(renewal);
      await syncing.close();
      // A database that is away has nobody in it who could be misled.
      if (written.size > 0) await leaveEverywhere(db, process).catch(() => undefined);
    },
  };
};
