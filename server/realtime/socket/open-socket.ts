// One connection that speaks ShareDB's protocol: reading only. See docs/adr/0118-a-socket-that-reads.md.
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName } from '@rowhouse/contract/event.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { BackgroundErrors } from '../../background-errors.ts';
import type { SocketOpening } from '../../live.ts';
import { type Coalesced, coalesce } from '../../work/coalesce.ts';
import { type Channel, channelOf, presenceChannel, presenceOf } from './channel.ts';
import {
  addressesForMembers,
  addressesForVisitors,
  collectionOf,
  collectionsOf,
  type FeedPlace,
} from './collection.ts';
import { createDocumentStore, faultOf } from './document-store.ts';
import { createKnownDocuments } from './known-documents.ts';
import { createPlaceFollower } from './place-follower.ts';
import { type Agent, createBackend, type Fault, type Message, type PresenceMessage } from './sharedb.ts';
import type { Entrance } from './entrance.ts';

/** Milliseconds between two reads of a collection, at least. */
const pause = 20;
const retryAfter = 1_000;
/** Subscriptions that one connection may have. */
const mostQueries = 100;
const mostDocuments = 5_000;
const mostChannels = 200;
/** What a client may leave unread: above the first it is sent nothing new, above the second, or after the time, it is cut off. */
const slowBacklog = 1_048_576;
const mostBacklog = 16_777_216;
const patience = 30_000;

const writesRefused: Fault = {
  code: 'restricted_resource',
  message:
    'Documents can only be read here. Write through the API, such as PATCH /api/table/{tableId}/record/{recordId}: the change arrives here by itself',
};
const oldRefused: Fault = {
  code: 'restricted_resource',
  message:
    'Earlier versions of documents are not kept here; GET /api/table/{tableId}/record/{recordId}/history has them',
};
const tooMany = (what: string, most: number): Fault => ({
  code: 'too_many_requests',
  message: `A connection may have ${most} ${what} at most; end some, or open another connection`,
});

const actionsOf: Partial<Record<EventName, string[]>> = {
  'records.created': ['addRecord'],
  'records.updated': ['setRecord'],
  'records.deleted': ['deleteRecord'],
  'schema.changed': ['addField', 'setField', 'deleteField'],
};
const viewActions = ['applyViewFilter', 'applyViewGroup', 'applyViewStatisticFunc', 'showViewField'];

/** Documents by their ids. */
type Named = ReadonlySet<string> | 'all';

const together = (one: Named, other: Named): Named =>
  one === 'all' || other === 'all' ? 'all' : new Set([...one, ...other]);

const subscribes = (action: string | undefined): boolean => action === 's' || action === 'bs' || action === 'qs';

interface OpenSocket {
  close(): Promise<void>;
}

export const openSocket = (
  { socket, read, shareId }: SocketOpening,
  entrance: Entrance,
  backgroundErrors: BackgroundErrors,
  onClose: () => void,
): OpenSocket => {
  let isClosed = false;
  const polls = new Map<string, Coalesced>();
  /** Of each collection: the documents that the feed named since it was read last. */
  const named = new Map<string, Named>();
  /** Of each request to subscribe that has no answer yet: what the feed named since it came. What the client is given may have been read before, and no poll knows of it yet. */
  const arriving = new Map<object, { name: string; missed: Named }>();
  const timers = new Set<NodeJS.Timeout>();

  const finish = (): void => {
    if (isClosed) return;
    isClosed = true;
    follower.close();
    for (const timer of timers) clearTimeout(timer);
    for (const poll of polls.values()) void poll.close();
    stream.destroy();
    onClose();
  };

  /** The credential is no longer good. Clients of Teable look for errors in every message. */
  const endWith = (fault: Fault): void => {
    if (isClosed) return;
    agent.send({ a: 'end', error: fault });
    socket.close(1008, fault.message);
    finish();
  };

  const stream = new Duplex({
    objectMode: true,
    read: () => undefined,
    write(message: object, _encoding, done) {
      // A request that failed is its own answer.
      arriving.delete(message);
      if (socket.backlog() > mostBacklog) socket.cut();
      else socket.send(JSON.stringify(message));
      done();
    },
    final(done) {
      socket.close(1000, '');
      done();
    },
  });
  stream.on('error', () => socket.cut());

  const drained = async (): Promise<void> => {
    for (let waited = 0; socket.backlog() > slowBacklog; waited += 50) {
      if (isClosed) break;
      if (waited >= patience) socket.cut();
      await sleep(50);
    }
    if (isClosed) throw new ApiError('service_unavailable', 'The connection is closed');
  };

  const documents = createKnownDocuments(
    (operation) => backend.pubsub.publish([operation.c, `${operation.c}.${operation.d}`], operation),
    Date.now,
  );
  const store = createDocumentStore(
    { read, addresses: shareId === null ? addressesForMembers : addressesForVisitors(shareId), drained },
    documents,
  );

  const pollQueries = async (name: string): Promise<Set<string>> => {
    const covered = new Set<string>();
    for (const emitter of Object.values(agent.subscribedQueries)) {
      if (emitter.collection !== name) continue;
      await new Promise<void>((done, failed) =>
        emitter.queryPoll((error) => (error === undefined || error === null ? done() : failed(error))),
      );
      for (const id of emitter.ids) covered.add(id);
    }
    return covered;
  };

  /** Reads again what the client subscribes to in a collection. */
  const poll = async (name: string): Promise<void> => {
    const changed = named.get(name) ?? new Set<string>();
    named.delete(name);
    try {
      const covered = await pollQueries(name);
      for (const id of Object.keys(agent.subscribedDocs[name] ?? {}))
        if (!covered.has(id) && (changed === 'all' || changed.has(id))) await store.refresh(name, id);
      documents.prune(name, (id) => covered.has(id) || agent.subscribedDocs[name]?.[id] !== undefined);
    } catch (error) {
      named.set(name, 'all');
      throw error;
    }
  };

  const pollFailed = (name: string, error: unknown): void => {
    if (isClosed) return;
    const fault = error instanceof Error ? faultOf(error) : (error as Fault);
    if (fault.code === 'unauthorized' || fault.code === 'unauthorized_share') {
      endWith(fault);
      return;
    }
    if (fault.code === 'internal_server_error') backgroundErrors.note('socket', error);
    const timer = setTimeout(() => {
      timers.delete(timer);
      pollOf(name).wake();
    }, retryAfter).unref();
    timers.add(timer);
  };

  const pollOf = (name: string): Coalesced => {
    const known = polls.get(name);
    if (known !== undefined) return known;
    const made = coalesce(
      () => poll(name),
      () => pause,
      (error) => pollFailed(name, error),
    );
    polls.set(name, made);
    return made;
  };

  const isSubscribed = (name: string): boolean =>
    agent.subscribedDocs[name] !== undefined ||
    Object.values(agent.subscribedQueries).some(({ collection }) => collection === name);

  const wake = (name: string, ids: Named): void => {
    if (isClosed) return;
    for (const each of arriving.values()) if (each.name === name) each.missed = together(each.missed, ids);
    if (!isSubscribed(name)) return;
    named.set(name, together(named.get(name) ?? new Set(), ids));
    pollOf(name).wake();
  };

  let presenceVersion = Date.now();
  const tell = (channel: string, id: string, p: unknown): void =>
    backend.pubsub.publish([presenceChannel(channel)], {
      a: 'p',
      ch: channel,
      src: 'server',
      id,
      p,
      pv: ++presenceVersion,
    });

  const tellActions = (channel: string, keys: readonly string[], payload: unknown): void => {
    if (agent.subscribedPresences[channel] !== undefined)
      tell(
        channel,
        channel,
        keys.map((actionKey) => ({ actionKey, payload })),
      );
  };

  const hearPlace =
    (place: FeedPlace) =>
    (name: EventName, data: Record<string, unknown>): void => {
      const [first, ...others] = collectionsOf(place) as [string, ...string[]];
      if (name.startsWith('records.')) {
        wake(first, data['recordsOmitted'] === true ? 'all' : new Set(data['recordIds'] as string[]));
      } else if (name === 'schema.changed' || name === 'view.changed' || name === 'reload') {
        for (const each of [first, ...others]) wake(each, 'all');
      } else if (name === 'tables.changed' && place.type === 'base') wake(first, 'all');
      const keys = actionsOf[name];
      if (keys !== undefined) tellActions(`__action_trigger_${place.id}`, keys, { tableId: place.id });
      if (name === 'view.changed')
        for (const channel of Object.keys(agent.subscribedPresences))
          if (presenceOf(channel)?.on === 'view') tellActions(channel, viewActions, { tableId: place.id });
    };

  /** Who has each table open, as the client was told. */
  const people = new Map<string, Map<string, unknown>>();
  const hearPeople =
    (tableId: string) =>
    (name: EventName, data: Record<string, unknown>): void => {
      if (name === 'presence.changed') {
        const before = people.get(tableId) ?? new Map<string, unknown>();
        const users = (data['users'] as { id: string }[]).map((user) => [user.id, user] as const);
        people.set(tableId, new Map(users));
        for (const id of before.keys()) if (!people.get(tableId)?.has(id)) tellPerson(tableId, id, null);
        for (const [id, user] of users) if (!before.has(id)) tellPerson(tableId, id, user);
      } else if (name === 'presence.cell') {
        const { userId, recordId, fieldId } = data as Record<string, string | null>;
        const p =
          recordId === null
            ? null
            : { user: people.get(tableId)?.get(userId as string), activeCellId: [recordId, fieldId] };
        tell(`__col_cell_user_${tableId}`, `${tableId}_${userId}`, p);
      }
    };
  const tellPerson = (tableId: string, userId: string, user: unknown): void =>
    tell(`__col_user_${tableId}`, `${tableId}_${userId}`, user);

  const hearInbox =
    (userId: string) =>
    (name: EventName, data: Record<string, unknown>): void => {
      if (name === 'notification.created') tell(`__notification_user_${userId}`, userId, data);
    };

  const keyOf = (channel: Channel): string | null => {
    switch (channel.on) {
      case 'documents':
        return channel.collection.place.id;
      case 'actions':
        return channel.place.id;
      case 'people':
        return `people ${channel.tableId}`;
      case 'inbox':
        return 'inbox';
      default:
        return null;
    }
  };

  const follower = createPlaceFollower({
    resumed(key) {
      for (const name of polls.keys()) if (collectionOf(name)?.place.id === key) wake(name, 'all');
    },
    refused(key, error) {
      if (error.status === 401) endWith(faultOf(error));
      else
        for (const name of collectionsOf({ type: key.startsWith('bse') ? 'base' : 'table', id: key }))
          wake(name, 'all');
    },
  });

  const followPlace = (place: FeedPlace): Promise<void> =>
    follower.follow(place.id, (outlet) => entrance.listenTo(place, outlet), hearPlace(place));

  const subscribe = async (name: string): Promise<void> => {
    const channel = channelOf(name);
    switch (channel?.on) {
      case undefined:
        throw new ApiError('not_found', `There is nothing to subscribe to at ${name.replace('$presence.', '')}`);
      case 'documents':
        return followPlace(channel.collection.place);
      case 'actions':
        return followPlace(channel.place);
      case 'silence':
        return entrance.enter(channel.place);
      case 'view':
        return;
      case 'inbox':
        return follower.follow(
          'inbox',
          (outlet) => entrance.listenToInbox(channel.userId, outlet),
          hearInbox(channel.userId),
        );
      case 'people': {
        const { tableId } = channel;
        await follower.follow(
          `people ${tableId}`,
          (outlet) => entrance.listenToPeople(tableId, outlet),
          hearPeople(tableId),
        );
        // The stream of the channel is made when this has returned.
        setImmediate(() => {
          for (const [id, user] of people.get(tableId) ?? []) tellPerson(tableId, id, user);
        });
      }
    }
  };

  const backend = createBackend(store, {
    subscribe,
    unsubscribe(name) {
      const channel = channelOf(name);
      const key = channel === undefined ? null : keyOf(channel);
      if (key !== null) follower.release(key);
    },
    faultOf,
  });

  const demandFew = (message: Message): Fault | undefined => {
    const documentsNow = Object.values(agent.subscribedDocs).reduce((sum, docs) => sum + Object.keys(docs).length, 0);
    if (message.a === 'qs' && Object.keys(agent.subscribedQueries).length >= mostQueries)
      return tooMany('subscribed queries', mostQueries);
    if ((message.a === 's' || message.a === 'bs') && documentsNow >= mostDocuments)
      return tooMany('subscribed documents', mostDocuments);
    if (message.a === 'ps' && Object.keys(agent.subscribedPresences).length >= mostChannels)
      return tooMany('channels of presence', mostChannels);
    return undefined;
  };

  backend.use('receive', ({ data }, next) => {
    // Options are for those who write the server.
    delete data.o;
    if (data.a === 'op') return next(writesRefused);
    if (data.a === 'nf' || data.a === 'nt') return next(oldRefused);
    // Snapshots instead of operations: of these it is not known yet what the client has.
    if (data.a === 'bf' && typeof data.b === 'object' && data.b !== null && !Array.isArray(data.b))
      data.b = Object.keys(data.b);
    const hasVersions = data.a === 'bs' && !Array.isArray(data.b);
    const fault = demandFew(data);
    // What a client that comes back has missed is compared with the next read.
    if (fault === undefined && subscribes(data.a) && typeof data['c'] === 'string')
      arriving.set(data, { name: data['c'], missed: hasVersions ? 'all' : new Set() });
    next(fault);
  });

  backend.use('reply', ({ request }, next) => {
    const arrived = arriving.get(request);
    arriving.delete(request);
    if (arrived !== undefined && (arrived.missed === 'all' || arrived.missed.size > 0))
      wake(arrived.name, arrived.missed);
    next();
  });

  const showCell = (tableId: string, { p }: PresenceMessage): void => {
    const cell = (p as { activeCellId?: unknown } | null)?.activeCellId;
    const [recordId, fieldId] = Array.isArray(cell) ? (cell as unknown[]) : [];
    const isIn = [recordId, fieldId].every((id) => typeof id === 'string' && /^[A-Za-z0-9]{1,50}$/.test(id));
    entrance.showCell(tableId, isIn ? [recordId as string, fieldId as string] : null);
  };

  backend.use('receivePresence', ({ presence }, next) => {
    const channel = presenceOf(presence.ch);
    if (channel?.on !== 'people' || agent.subscribedPresences[presence.ch] === undefined)
      return next({
        code: 'restricted_resource',
        message:
          'Presence can be told on __col_user_{tableId} and __col_cell_user_{tableId}, by those who subscribe to it',
      });
    // Who somebody is says the server, not the client.
    if (presence.ch.startsWith('__col_cell_user_')) showCell(channel.tableId, presence);
    next();
  });

  const agent: Agent = backend.listen(stream);

  socket.onMessage((text) => {
    if (isClosed) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      message = undefined;
    }
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) stream.push(message);
    else {
      socket.close(1007, 'A message is one JSON object');
      finish();
    }
  });
  socket.onClose(finish);

  return {
    async close() {
      socket.close(1001, 'The server is stopping');
      finish();
      await Promise.all([...polls.values()].map((each) => each.close()));
    },
  };
};
