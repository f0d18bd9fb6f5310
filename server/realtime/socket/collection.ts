// The collections of the socket: which documents each of them holds, and where the API answers with them. A document is what the API
// answers about it, so nothing is ever shown here that the caller could not read there.
import { isId } from '@rowhouse/contract/id.ts';
import { listRecords } from '@rowhouse/contract/record.ts';

type DocumentKind = 'record' | 'field' | 'view' | 'table';

/** What the documents of a collection belong to, and whose changes are followed. */
export interface FeedPlace {
  type: 'table' | 'base';
  id: string;
}

export interface Collection {
  name: string;
  kind: DocumentKind;
  place: FeedPlace;
}

export interface Document {
  id: string;
  data: Record<string, unknown>;
}

export interface Documents {
  documents: Document[];
  extra: unknown;
}

const kinds: Record<string, DocumentKind> = { rec: 'record', fld: 'field', viw: 'view', tbl: 'table' };

/** `rec_tbl…`, `fld_tbl…`, `viw_tbl…`, `tbl_bse…`. */
export const collectionOf = (name: string): Collection | undefined => {
  const kind = name[3] === '_' ? kinds[name.slice(0, 3)] : undefined;
  const id = name.slice(4);
  if (kind === undefined || !isId(kind === 'table' ? 'bse' : 'tbl', id)) return undefined;
  return { name, kind, place: { type: kind === 'table' ? 'base' : 'table', id } };
};

/** The collections that change with a place. */
export const collectionsOf = ({ type, id }: FeedPlace): string[] =>
  type === 'base' ? [`tbl_${id}`] : [`rec_${id}`, `fld_${id}`, `viw_${id}`];

/** What a query may ask for. Every document is whole: two queries with other columns would contradict each other about the same one. */
const asked = Object.keys(listRecords.query.properties).filter(
  (key) => !['projection', 'cellFormat', 'fieldKeyType', 'cursor', 'withGroups'].includes(key),
);
const lists = new Set(['search', 'filterLinkCellCandidate', 'filterLinkCellSelected', 'selectedRecordIds']);

const recordQuery = (query: Record<string, unknown>): URLSearchParams => {
  const parameters = new URLSearchParams({ fieldKeyType: 'id' });
  for (const key of asked) {
    const value = query[key];
    if (value === undefined || value === null) continue;
    if (Array.isArray(value) && lists.has(key)) for (const each of value) parameters.append(`${key}[]`, String(each));
    else parameters.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value as string));
  }
  return parameters;
};

const fieldQuery = ({ viewId, filterHidden }: Record<string, unknown>): URLSearchParams => {
  const parameters = new URLSearchParams();
  if (typeof viewId === 'string') parameters.append('viewId', viewId);
  if (filterHidden === true) parameters.append('filterHidden', 'true');
  return parameters;
};

const documentsOf = (all: unknown): Document[] =>
  (all as ({ id: string } & Record<string, unknown>)[]).map((data) => ({ id: data.id, data }));

/** Where the API answers with documents, and where they are in its answers. */
export interface Addresses {
  list(collection: Collection, query: Record<string, unknown>): string;
  documentsIn(collection: Collection, body: unknown): Documents;
  one(collection: Collection, id: string): string;
  /** Undefined when there is none. */
  documentIn(body: unknown): Document | undefined;
}

interface Page {
  records: unknown;
  extra?: Record<string, unknown>;
}

const pageOf = ({ records, extra = {} }: Page): Documents => {
  const { nextCursor: _cursor, ...shown } = extra;
  return { documents: documentsOf(records), extra: shown };
};

export const addressesForMembers: Addresses = {
  list({ kind, place: { id } }, query) {
    if (kind === 'record') return `/table/${id}/record?${recordQuery(query)}`;
    if (kind === 'field') return `/table/${id}/field?${fieldQuery(query)}`;
    return kind === 'view' ? `/table/${id}/view` : `/base/${id}/table`;
  },
  documentsIn: ({ kind }, body) =>
    kind === 'record' ? pageOf(body as Page) : { documents: documentsOf(body), extra: undefined },
  one({ kind, place }, id) {
    const address = `/${place.type}/${place.id}/${kind}/${encodeURIComponent(id)}`;
    return kind === 'record' ? `${address}?fieldKeyType=id` : address;
  },
  documentIn: (body) => documentsOf([body])[0],
};

/** Visitors of a share have the fields and records that it shows, and its one view. */
export const addressesForVisitors = (shareId: string): Addresses => ({
  list: ({ kind }, query) =>
    kind === 'record' ? `/share/${shareId}/view/records?${recordQuery(query)}` : `/share/${shareId}/view`,
  documentsIn({ kind }, body) {
    if (kind === 'record') return pageOf(body as Page);
    const { fields, view } = body as { fields: unknown; view: unknown };
    return { documents: documentsOf(kind === 'field' ? fields : [view]), extra: undefined };
  },
  one: ({ kind }, id) => `/share/${shareId}/socket/${kind}/snapshot-bulk?ids[]=${encodeURIComponent(id)}`,
  documentIn: (body) => (body as Document[])[0],
});
