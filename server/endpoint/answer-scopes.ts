// What an answer shows of kinds of data that have a scope of their own, whatever the endpoint. The table of it:
//
// | kind of data | where | scope | without it |
// |---|---|---|---|
// | e-mail addresses of people | everywhere: people, authors, cells of user fields | user|email_read | an empty text |
// | cells of records | answers to writing records | record|read | the record's id, the cells that the request wrote, and what may be done with it |
// | cells of records | everything else that shows cells | record|read | 403, by the `action` of the endpoint |
// | history | | table_record_history|read | 403, by the `action` of the endpoint |
//
// Done once, on the JSON of the answer, so that no endpoint can forget it. Sessions and tokens that may do everything do not come
// here; of the rest only what has such data is parsed.
import { hasScope, type Principal } from '../catalog/principal.ts';

const userId = /^usr[0-9A-Za-z]{16}$/;

const isPerson = ({ id, userId: other, email }: Record<string, unknown>): boolean =>
  typeof email === 'string' && [id, other].some((value) => typeof value === 'string' && userId.test(value));

/** People who come without their id: the creator of an application, the contact for bills. */
const nameless = new Set(['createdUser', 'detail']);

/** `fields` of a record may hold cells of those names. */
const hide = (value: unknown, key: string): void => {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) hide(item, '');
    return;
  }
  const object = value as Record<string, unknown>;
  if ((nameless.has(key) && typeof object['email'] === 'string') || (key !== 'fields' && isPerson(object))) object['email'] = '';
  for (const [name, inner] of Object.entries(object)) hide(inner, name);
};

interface RecordLike {
  id: string;
  fields: Record<string, unknown>;
  /** What the caller may do with it: nothing of the record itself. */
  permissions?: unknown;
  undeletable?: unknown;
}

interface WriteBody {
  records?: { id?: string; fields?: object }[];
  record?: { fields?: object };
}

const onlyWritten = (record: RecordLike, written: object | undefined): RecordLike => ({
  id: record.id,
  fields: Object.fromEntries(Object.entries(record.fields).filter(([name]) => Object.hasOwn(written ?? {}, name))),
  ...(record.permissions === undefined ? {} : { permissions: record.permissions }),
  ...(record.undeletable === undefined ? {} : { undeletable: record.undeletable }),
});

interface Upserted {
  created: RecordLike[];
  updated: RecordLike[];
  unchanged: RecordLike[];
}

/** Which record of the request became which is not told: what all of them wrote, each wrote. */
const trimUpsert = (answer: Upserted, rows: NonNullable<WriteBody['records']>): Upserted => {
  const [first, ...others] = rows.map(({ fields }) => fields ?? {});
  const written = Object.fromEntries(Object.entries(first ?? {}).filter(([name]) => others.every((fields) => Object.hasOwn(fields, name))));
  const trim = (records: RecordLike[]): RecordLike[] => records.map((record) => onlyWritten(record, written));
  return { ...answer, created: trim(answer.created), updated: trim(answer.updated), unchanged: trim(answer.unchanged) };
};

/** What of the records the request itself has brought. */
const trimRecords = (answer: unknown, body: WriteBody | undefined): unknown => {
  const trim = (records: RecordLike[]): RecordLike[] => {
    const byId = new Map((body?.records ?? []).flatMap(({ id, fields }) => (id === undefined ? [] : [[id, fields] as const])));
    return records.map((record, at) => onlyWritten(record, byId.size > 0 ? byId.get(record.id) : body?.records?.[at]?.fields));
  };
  if (Array.isArray(answer)) return trim(answer as RecordLike[]);
  if ('created' in (answer as object)) return trimUpsert(answer as Upserted, body?.records ?? []);
  const { records } = answer as { records?: RecordLike[] };
  return records === undefined ? onlyWritten(answer as RecordLike, body?.record?.fields) : { records: trim(records) };
};

/** Most callers are not: their answers are sent as they are. */
export const isLimitedFor = (principal: Principal): boolean => !hasScope(principal, 'user|email_read') || !hasScope(principal, 'record|read');

/** The JSON text that this caller gets. */
export const limitAnswer = (text: string, principal: Principal, written: { body: unknown } | null): string => {
  const trims = written !== null && !hasScope(principal, 'record|read');
  const hides = !hasScope(principal, 'user|email_read') && text.includes('"email"');
  if (!trims && !hides) return text;
  let answer: unknown = JSON.parse(text);
  if (trims) answer = trimRecords(answer, written.body as WriteBody | undefined);
  if (hides) hide(answer, '');
  return JSON.stringify(answer);
};
