// What one connection knows of each document: its version, and marks of its content. A version is a matter between the server and one
// client: it grows by one with every operation that the client is sent. So a change that the client does not see leaves no gap, and
// every process can go on with a document where the client says it is.
import { type Component, type Content, changesBetween, contentOf } from './document-content.ts';
import type { Document } from './collection.ts';

/** An operation in the form of ShareDB. */
export interface Operation {
  c: string;
  d: string;
  v: number;
  src: string;
  seq: number;
  op?: Component[];
  create?: { type: string; data: unknown };
  del?: true;
  m: Record<string, never>;
}

export interface Snapshot {
  id: string;
  v: number;
  type: string | null;
  data: unknown;
  m: null;
}

interface Known {
  version: number;
  /** Null: there is no such document for this client. `unknown`: the client has some content, of another connection. */
  content: Content | 'unknown' | null;
}

const json0 = 'http://sharejs.org/types/JSONv0';
const source = 'server';

/** Parts of documents, such as cells, that are remembered for one connection. */
const mostParts = 200_000;

export interface KnownDocuments {
  /** What was read just now. Publishes the operation that leads there from what the client has. */
  note(collection: string, id: string, document: Document | undefined): void;
  /** The same without publishing, for a client that says where it is. */
  catchUp(collection: string, id: string, version: number, document: Document | undefined): Operation[];
  /** The client has the document at this version. The content is compared when it is read. */
  claim(collection: string, id: string, version: number): void;
  snapshot(collection: string, id: string, document: Document | undefined): Snapshot;
  /** Forgets the documents of a collection that nobody subscribes to any more. */
  prune(collection: string, isWanted: (id: string) => boolean): void;
  isFull(): boolean;
}

export const createKnownDocuments = (publish: (operation: Operation) => void, now: () => number): KnownDocuments => {
  const collections = new Map<string, Map<string, Known>>();
  let parts = 0;
  let seq = 0;

  const sizeOf = ({ content }: Known): number => (content instanceof Map ? content.size : 1);

  const forget = (collection: string, id: string): void => {
    const known = collections.get(collection)?.get(id);
    if (known === undefined) return;
    parts -= sizeOf(known);
    collections.get(collection)?.delete(id);
  };

  const remember = (collection: string, id: string, known: Known): void => {
    forget(collection, id);
    const documents = collections.get(collection) ?? new Map<string, Known>();
    collections.set(collection, documents.set(id, known));
    parts += sizeOf(known);
  };

  const operation = (c: string, d: string, v: number, what: Pick<Operation, 'op' | 'create' | 'del'>): Operation => ({
    c,
    d,
    v,
    src: source,
    seq: ++seq,
    m: {},
    ...what,
  });

  /** What leads from what the client has to what there is; undefined: it is the same. */
  const stepTo = (
    content: Known['content'],
    document: Document | undefined,
    after: Content | null,
  ): Pick<Operation, 'op' | 'create' | 'del'> | undefined => {
    if (document === undefined || after === null) return content === null ? undefined : { del: true };
    if (content === null) return { create: { type: json0, data: document.data } };
    const changes = content === 'unknown' ? null : changesBetween(content, after, document.data);
    if (changes?.length === 0) return undefined;
    return { op: changes ?? ([{ p: [], oi: document.data }] satisfies Component[]) };
  };

  const advance = (
    collection: string,
    id: string,
    { version, content }: Known,
    document: Document | undefined,
  ): Operation | undefined => {
    const after = document === undefined ? null : contentOf(document.data);
    const step = stepTo(content, document, after);
    remember(collection, id, { version: step === undefined ? version : version + 1, content: after });
    return step === undefined ? undefined : operation(collection, id, version, step);
  };

  return {
    note(collection, id, document) {
      const known = collections.get(collection)?.get(id);
      const step = known === undefined ? undefined : advance(collection, id, known, document);
      if (step !== undefined) publish(step);
    },
    catchUp(collection, id, version, document) {
      const known = collections.get(collection)?.get(id);
      const isThere = known?.version === version;
      const content = isThere ? known.content : version === 0 ? null : 'unknown';
      const step = advance(collection, id, { version, content }, document);
      return step === undefined ? [] : [step];
    },
    claim(collection, id, version) {
      const known = collections.get(collection)?.get(id);
      // Since the client said so it was sent more, which it may have or not. What is sent next follows on that: a client that has less asks for the rest.
      if (known !== undefined && known.version > version)
        remember(collection, id, { version: known.version, content: known.content === null ? null : 'unknown' });
      else remember(collection, id, { version, content: version === 0 ? null : 'unknown' });
    },
    snapshot(collection, id, document) {
      const known = collections.get(collection)?.get(id);
      if (known !== undefined) {
        const step = advance(collection, id, known, document);
        if (step !== undefined) publish(step);
      }
      // Later than every version that a client has reached by single steps: it never takes this snapshot for an old one.
      else
        remember(collection, id, {
          version: document === undefined ? 0 : now(),
          content: document === undefined ? null : contentOf(document.data),
        });
      const version = collections.get(collection)?.get(id)?.version ?? 0;
      return document === undefined
        ? { id, v: version, type: null, data: undefined, m: null }
        : { id, v: version, type: json0, data: document.data, m: null };
    },
    prune(collection, isWanted) {
      for (const id of collections.get(collection)?.keys() ?? []) if (!isWanted(id)) forget(collection, id);
    },
    isFull: () => parts > mostParts,
  };
};
