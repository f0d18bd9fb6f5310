// Begins to tell what happens: to those who listen here, to the other processes, and to people.
import type { Services } from '../context.ts';
import type { Db } from '../db/db.ts';
import { isGone } from '../db/error.ts';
import { type Live, silentLive } from '../live.ts';
import { type BaseStream, createBaseStream } from './base-stream.ts';
import { selectLastSeq } from '../domain/notification/inbox.sql.ts';
import { feedOperations } from '../domain/feed/feed.sql.ts';
import { followJob } from '../domain/feed/follow.ts';
import { selectFollowers } from '../domain/feed/follower.sql.ts';
import { createInboxStream } from './inbox-stream.ts';
import { type Listener, verifyNow } from './listener.ts';
import { coalesce } from '../work/coalesce.ts';
import { createPresence } from './presence.ts';
import { cellTopic, createPresentCells } from './present-cells.ts';
import { heartbeat } from './sse.ts';
import { openProcessSignals } from './process-signals.ts';
import { openEntrance } from './socket/entrance.ts';
import { openSocket } from './socket/open-socket.ts';

/**
 * Sets `services.live`; answers how to stop, which ends every stream. `db` is a pool of its own: what follows the
 * writes must not take connections away from them.
 */
export const startRelay = (serving: Services, db: Db): (() => Promise<void>) => {
  const services: Services = { ...serving, db, publicUrl: () => serving.publicUrl() };
  const { now, backgroundErrors } = services;
  const baseStreams = new Map<string, BaseStream>();
  const inbox = createInboxStream(services);
  /** Bases that changed and that nobody here listens to. */
  const unfed = new Set<string>();

  const signals = openProcessSignals(
    db,
    backgroundErrors,
    (topic) => {
      if (topic === 'inbox') inbox.wake();
      else if (topic.startsWith('tbl')) presence.wake(topic);
      else if (topic.startsWith(cellTopic)) cells.hear(topic);
      else baseStreams.get(topic)?.wake();
    },
    () => serving.work.hurry('find-unnotified'),
  );
  const presence = createPresence(services, signals.tell);
  const cells = createPresentCells(services, presence.listenersOf, signals.tell);

  const inboxChanged = (): void => {
    inbox.wake();
    signals.tell('inbox');
  };

  const listeners = (): Listener[] => [
    ...inbox.listeners(),
    ...[...baseStreams.values()].flatMap((stream) => stream.listeners()),
  ];

  // The safety net: once a second everyone with listeners looks, whether woken or not.
  const look = coalesce(
    async () => {
      for (const [baseId, stream] of baseStreams) {
        if (!stream.isIdle()) stream.wake();
        else {
          baseStreams.delete(baseId);
          await stream.close();
        }
      }
      inbox.wake();
      await verifyNow(db, listeners(), now().getTime());
    },
    () => 0,
    (error) => backgroundErrors.note('checking listeners', error),
  );

  // Nobody waits for these, but the first who listens should not have to wait for a long backlog.
  const feed = coalesce(
    async () => {
      let failure: unknown;
      for (const baseId of [...unfed]) {
        unfed.delete(baseId);
        if (baseStreams.has(baseId)) continue;
        await feedOperations(db, baseId).catch((error: unknown) => {
          if (isGone(error)) return;
          unfed.add(baseId);
          failure ??= error;
        });
      }
      // The others were fed first: on a cluster one node may be away.
      if (failure !== undefined) throw failure as Error;
    },
    () => 0,
    (error) => backgroundErrors.note('live feed', error),
  );

  /** Bases that changed here since their followers were woken last. */
  const touched = new Set<string>();
  // What a crash leaves out is found by the job `find-followers`.
  const followers = coalesce(
    async () => {
      const baseIds = [...touched];
      touched.clear();
      for (const follower of await selectFollowers(db, baseIds)) serving.work.add(followJob(follower));
    },
    () => 200,
    (error) => backgroundErrors.note('followers of the feed', error),
  );

  const beat = (): void => {
    for (const listener of listeners()) listener.send(heartbeat);
  };

  const timers = [setInterval(look.wake, 1_000), setInterval(feed.wake, 10_000), setInterval(beat, 15_000)];
  for (const timer of timers) timer.unref();

  const streamOf = (baseId: string): BaseStream => {
    const stream = baseStreams.get(baseId) ?? createBaseStream(services, baseId, presence);
    baseStreams.set(baseId, stream);
    return stream;
  };

  const sockets = new Set<{ close(): Promise<void> }>();

  const live: Live = {
    changed(baseId) {
      signals.tell(baseId);
      const stream = baseStreams.get(baseId);
      if (stream === undefined) unfed.add(baseId);
      else stream.wake();
      touched.add(baseId);
      followers.wake();
    },
    inboxChanged,
    tablePosition: (baseId) => streamOf(baseId).position(),
    inboxPosition: (userId) => selectLastSeq(db, userId),
    showCell: cells.show,
    listenToTable: (listening) => streamOf(listening.access.baseId as string).listen(listening),
    listenToInbox: inbox.listen,
    openSocket(opening) {
      const opened = openSocket(opening, openEntrance(services, live, opening), backgroundErrors, () =>
        sockets.delete(opened),
      );
      sockets.add(opened);
    },
    streams: () => listeners().length,
  };
  serving.live = live;

  return async () => {
    serving.live = silentLive;
    for (const timer of timers) clearInterval(timer);
    await Promise.all([...sockets].map((socket) => socket.close()));
    await Promise.all([
      look.close(),
      feed.close(),
      followers.close(),
      inbox.close(),
      presence.close(),
      cells.close(),
      signals.close(),
      ...[...baseStreams.values()].map((stream) => stream.close()),
    ]);
  };
};
