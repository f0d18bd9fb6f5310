// The part of the ShareDB library that is used here, with types: its own leave out what a server without a store of its own needs.
import type { Duplex } from 'node:stream';
import ShareDB from 'sharedb';
import type { Operation, Snapshot } from './known-documents.ts';

/** Errors go to clients as they are. They are no `Error`: ShareDB would print the stack of one. */
export interface Fault {
  code: string;
  message: string;
}

type Done<T extends unknown[] = []> = (error: Fault | null, ...result: T) => void;

/** What ShareDB asks its store for. Options and projections are not used. */
export interface Store {
  projectsSnapshots: false;
  disableSubscribe: false;
  pollDebounce: number;
  pollInterval: number;
  canPollDoc(): false;
  skipPoll(): true;
  query(
    collection: string,
    query: unknown,
    fields: unknown,
    options: unknown,
    done: Done<[Snapshot[], unknown] | []>,
  ): void;
  queryPoll(collection: string, query: unknown, options: unknown, done: Done<[string[], unknown] | []>): void;
  getSnapshot(collection: string, id: string, fields: unknown, options: unknown, done: Done<[Snapshot] | []>): void;
  getSnapshotBulk(
    collection: string,
    ids: string[],
    fields: unknown,
    options: unknown,
    done: Done<[Record<string, Snapshot>] | []>,
  ): void;
  getOps(
    collection: string,
    id: string,
    from: number | null,
    to: unknown,
    options: unknown,
    done: Done<[Operation[]] | []>,
  ): void;
  getOpsBulk(
    collection: string,
    from: Record<string, number>,
    to: unknown,
    options: unknown,
    done: Done<[Record<string, Operation[]>] | []>,
  ): void;
  close(done?: () => void): void;
}

export interface Message {
  a?: string;
  b?: unknown;
  o?: unknown;
  [key: string]: unknown;
}

interface Emitter {
  collection: string;
  ids: string[];
  queryPoll(done: (error?: Fault | null) => void): void;
  destroy(): void;
}

export interface Agent {
  subscribedQueries: Record<string, Emitter>;
  subscribedDocs: Record<string, Record<string, { destroy(): void }>>;
  subscribedPresences: Record<string, unknown>;
  send(message: object): void;
}

export interface PresenceMessage {
  ch: string;
  id: string;
  p: unknown;
}

interface PubSub {
  subscribed: Record<string, boolean>;
  publish(channels: string[], data: object): void;
  _subscribe(channel: string, done: (error?: Fault | null) => void): unknown;
  _unsubscribe(channel: string, done: (error?: Fault | null) => void): void;
}

interface Backend {
  use(action: 'receive', act: (context: { data: Message }, next: (error?: Fault) => void) => void): void;
  /** Of requests that did not fail. */
  use(action: 'reply', act: (context: { request: Message }, next: (error?: Fault) => void) => void): void;
  use(
    action: 'receivePresence',
    act: (context: { presence: PresenceMessage }, next: (error?: Fault) => void) => void,
  ): void;
  listen(stream: Duplex): Agent;
  pubsub: PubSub;
}

interface Library {
  new (options: object): Backend;
  MemoryPubSub: new () => PubSub;
  logger: { setMethods(methods: Record<'info' | 'warn' | 'error', (...said: unknown[]) => void>): void };
}

const library = ShareDB as unknown as Library;

/** Everything that fails is told to the client or noted by the store. */
const nothing = (): void => undefined;
library.logger.setMethods({ info: nothing, warn: nothing, error: nothing });

interface Subscriptions {
  subscribe(channel: string): Promise<void>;
  unsubscribe(channel: string): void;
  faultOf(error: unknown): Fault;
}

/** One for each connection: versions and channels are its own. */
export const createBackend = (db: Store, { subscribe, unsubscribe, faultOf }: Subscriptions): Backend => {
  const pubsub = Object.assign(new library.MemoryPubSub(), {
    async _subscribe(channel: string, done: (error?: Fault | null) => void) {
      try {
        await subscribe(channel);
      } catch (error) {
        done(faultOf(error));
        return;
      }
      done();
    },
    _unsubscribe: (channel: string, done: (error?: Fault | null) => void) => {
      unsubscribe(channel);
      done();
    },
  });
  return new library({ db, pubsub, presence: true, doNotForwardSendPresenceErrorsToClient: true });
};
