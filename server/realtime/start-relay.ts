// Begins to tell what happens: to those who listen here, to the other processes, and to people.
import { selectEpoch } from '../catalog/access.sql.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/db.ts';
import { isGone } from '../db/error.ts';
import { type Live, silentLive } from '../live.ts';
import { type BaseTail, createBaseTail } from './base-tail.ts';
import { feedOperations } from './feed.sql.ts';
import { createInboxTail } from './inbox-tail.ts';
import { type Listener, verify } from './listener.ts';
import { createPace } from './pace.ts';
import { createPresence } from './presence.ts';
import { heartbeat } from './sse.ts';
import { createTeller } from './teller.ts';
import { openWire } from './wire.ts';

/**
 * Sets `services.live`; answers how to stop, which ends every stream. `db` is a pool of its own: what follows the
 * writes must not take connections away from them.
 */
export const startRelay = (serving: Services, db: Db): (() => Promise<void>) => {
  const services: Services = { ...serving, db, publicUrl: () => serving.publicUrl() };
  const { now, faults } = services;
  const tails = new Map<string, BaseTail>();
  const inbox = createInboxTail(services);
  /** Bases that changed and that nobody here listens to. */
  const unfed = new Set<string>();

  const wire = openWire(db, faults, (topic) => {
    if (topic === 'inbox') inbox.wake();
    else if (topic.startsWith('tbl')) presence.wake(topic);
    else tails.get(topic)?.wake();
  }, () => teller.lookForUntold());
  const presence = createPresence(services, wire.tell);

  const inboxChanged = (): void => {
    inbox.wake();
    wire.tell('inbox');
  };
  const teller = createTeller(services, inboxChanged);

  const listeners = (): Listener[] => [...inbox.listeners(), ...[...tails.values()].flatMap((tail) => tail.listeners())];

  // The safety net: once a second everyone with listeners looks, whether woken or not.
  const look = createPace(
    async () => {
      for (const [baseId, tail] of tails) {
        if (!tail.isIdle()) tail.wake();
        else {
          tails.delete(baseId);
          await tail.close();
        }
      }
      inbox.wake();
      const present = listeners();
      if (present.length > 0) await verify(present, await selectEpoch(db), now().getTime());
    },
    () => 0,
    (error) => faults.note('checking listeners', error),
  );

  // Nobody waits for these, but the first who listens should not have to wait for a long backlog.
  const feed = createPace(
    async () => {
      for (const baseId of [...unfed]) {
        unfed.delete(baseId);
        if (tails.has(baseId)) continue;
        await feedOperations(db, baseId).catch((error: unknown) => {
          if (isGone(error)) return;
          unfed.add(baseId);
          throw error;
        });
      }
    },
    () => 0,
    (error) => faults.note('live feed', error),
  );

  const beat = (): void => {
    for (const listener of listeners()) listener.send(heartbeat);
  };

  const timers = [setInterval(look.wake, 1_000), setInterval(feed.wake, 10_000), setInterval(beat, 15_000)];
  for (const timer of timers) timer.unref();

  const live: Live = {
    changed(baseId) {
      wire.tell(baseId);
      const tail = tails.get(baseId);
      if (tail === undefined) unfed.add(baseId);
      else tail.wake();
    },
    named: teller.named,
    toTell: teller.toTell,
    inboxChanged,
    listenToTable(listening) {
      const baseId = listening.access.baseId as string;
      const tail = tails.get(baseId) ?? createBaseTail(services, baseId, presence);
      tails.set(baseId, tail);
      tail.listen(listening);
    },
    listenToInbox: inbox.listen,
    streams: () => listeners().length,
  };
  serving.live = live;

  return async () => {
    serving.live = silentLive;
    for (const timer of timers) clearInterval(timer);
    await Promise.all([look.close(), feed.close(), teller.close(), inbox.close(), presence.close(), wire.close(), ...[...tails.values()].map((tail) => tail.close())]);
  };
};
