// The store of one connection, as ShareDB asks for it. It holds no documents: each is read from the API, with the caller's own credential,
// so rights, sight, limits and the form of answers are those of the API. One read after the other: none can overtake a newer one.
import { ApiError, type ErrorBody } from '@rowhouse/contract/error.ts';
import type { ApiAnswer } from '../../live.ts';
import { type Addresses, type Collection, collectionOf, type Document, type Documents } from './collection.ts';
import type { KnownDocuments, Operation, Snapshot } from './known-documents.ts';
import type { Fault, Store } from './sharedb.ts';
import { createPause } from '../../work/slices.ts';

/** Reads that may wait for their turn. */
const mostWaiting = 200;
/** Documents that one message may name. */
const mostNamed = 1_000;

/** It would be refused again: the place is gone, or is no longer for this caller. */
const isOver = (error: unknown): boolean => error instanceof ApiError && error.passes === 'no' && error.status !== 401;

export const faultOf = (error: unknown): Fault =>
  error instanceof ApiError
    ? { code: error.code, message: error.message }
    : { code: 'internal_server_error', message: 'This could not be read; try again' };

interface Reading {
  read(path: string): Promise<ApiAnswer>;
  addresses: Addresses;
  /** Waits while the client has not taken what it was sent. */
  drained(): Promise<void>;
}

interface DocumentStore extends Store {
  /** Reads a document again, and publishes what has changed. */
  refresh(collection: string, id: string): Promise<void>;
}

export const createDocumentStore = (
  { read, addresses, drained }: Reading,
  documents: KnownDocuments,
): DocumentStore => {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** Of the newest read of each collection: what is inserted into a query is taken from there. */
  const newest = new Map<string, ReadonlyMap<string, Document>>();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= mostWaiting || documents.isFull())
      return Promise.reject(
        new ApiError(
          'too_many_requests',
          'This connection asks for more than one may; ask for less, or open another one',
        ),
      );
    waiting += 1;
    const done = last.then(drained).then(work);
    last = done.catch(() => undefined).finally(() => (waiting -= 1));
    return done;
  };

  const bodyOf = async (path: string): Promise<unknown> => {
    const { status, body } = await read(path);
    if (status !== 200) throw new ApiError((body as ErrorBody).code, (body as ErrorBody).message);
    return body;
  };

  const demandCollection = (name: string): Collection => {
    const collection = collectionOf(name);
    if (collection === undefined)
      throw new ApiError(
        'not_found',
        `There is no collection ${name}: they are called rec_{tableId}, fld_{tableId}, viw_{tableId} and tbl_{baseId}`,
      );
    return collection;
  };

  /** What is done with each document is done in slices: to remember a page of long texts takes longer than to read it. */
  const list = (
    name: string,
    query: unknown,
    begin: (documents: readonly Document[]) => (document: Document) => void,
  ): Promise<Documents> =>
    inTurn(async () => {
      const collection = demandCollection(name);
      const asked = typeof query === 'object' && query !== null ? (query as Record<string, unknown>) : {};
      const found = addresses.documentsIn(collection, await bodyOf(addresses.list(collection, asked)));
      const [use, pause] = [begin(found.documents), createPause()];
      for (const document of found.documents) {
        const turn = pause();
        if (turn !== undefined) await turn;
        use(document);
      }
      return found;
    });

  const find = (name: string, id: string): Promise<Document | undefined> =>
    inTurn(async () => {
      const collection = demandCollection(name);
      try {
        return addresses.documentIn(await bodyOf(addresses.one(collection, id)));
      } catch (error) {
        if (isOver(error)) return undefined;
        throw error;
      }
    });

  const answer = async <T extends unknown[]>(
    work: Promise<T>,
    done: (error: Fault | null, ...result: T | []) => void,
  ): Promise<void> => {
    let result: T;
    try {
      result = await work;
    } catch (error) {
      done(faultOf(error));
      return;
    }
    done(null, ...result);
  };

  const demandFew = (ids: readonly string[]): void => {
    if (ids.length > mostNamed)
      throw new ApiError(
        'validation_error',
        `A message may name ${mostNamed} documents at most; subscribe to a query instead`,
      );
  };

  return {
    projectsSnapshots: false,
    disableSubscribe: false,
    pollDebounce: 0,
    pollInterval: 0,
    canPollDoc: () => false,
    // Queries are polled when the feed says that something has changed.
    skipPoll: () => true,
    query(name, query, _fields, _options, done) {
      const snapshots: Snapshot[] = [];
      void answer(
        list(
          name,
          query,
          () => (document) => void snapshots.push(documents.snapshot(name, document.id, document)),
        ).then(({ extra }): [Snapshot[], unknown] => [snapshots, extra]),
        done,
      );
    },
    queryPoll(name, query, _options, done) {
      const polled = list(name, query, (all) => {
        newest.set(name, new Map(all.map((document) => [document.id, document])));
        return (document) => documents.note(name, document.id, document);
      }).catch((error: unknown): Documents => {
        // What the caller may no longer see is gone for them.
        if (!isOver(error)) throw error;
        newest.delete(name);
        return { documents: [], extra: undefined };
      });
      void answer(
        polled.then(({ documents: found, extra }): [string[], unknown] => [found.map(({ id }) => id), extra]),
        done,
      );
    },
    getSnapshot(name, id, _fields, _options, done) {
      void answer(
        find(name, id).then((document): [Snapshot] => [documents.snapshot(name, id, document)]),
        done,
      );
    },
    getSnapshotBulk(name, ids, _fields, _options, done) {
      const read = async (): Promise<[Record<string, Snapshot>]> => {
        demandFew(ids);
        const found: Record<string, Snapshot> = {};
        for (const id of ids)
          found[id] = documents.snapshot(name, id, newest.get(name)?.get(id) ?? (await find(name, id)));
        return [found];
      };
      void answer(read(), done);
    },
    getOps(name, id, from, _to, _options, done) {
      void answer(
        find(name, id).then((document): [Operation[]] => [documents.catchUp(name, id, from ?? 0, document)]),
        done,
      );
    },
    // Of a client that comes back: what it has missed is published with the next read of the collection.
    getOpsBulk(name, from, _to, _options, done) {
      const claimed = Object.entries(from);
      for (const [id, version] of claimed) documents.claim(name, id, version);
      done(null, Object.fromEntries(claimed.map(([id]) => [id, []])));
    },
    async refresh(name, id) {
      documents.note(name, id, await find(name, id));
    },
    close: (done) => done?.(),
  };
};
