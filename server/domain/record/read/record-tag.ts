// The ETag of a record, which `If-Match` compares. It is the number of its changes; to those whom rules do not tell when records change it is made of what they see, so that it does not count
// changes of what is hidden.
import { createHash } from 'node:crypto';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Queryable } from '../../../db/db.ts';
import { type RecordRow, selectRecords } from './read.sql.ts';

/** What a client sent: the number of a change, or the mark of what it saw; or what the server has read for it just now. */
export type Match = { version: number } | { mark: string } | { read: number };

const markOf = ({ json }: RecordRow): string => createHash('sha256').update(json).digest('hex').slice(0, 32);

const selectSeen = async (db: Queryable, sight: Sight, recordId: string): Promise<RecordRow | undefined> =>
  (await selectRecords(db, sight, [recordId], { fields: sight.fields, keyType: 'id', format: 'json' }))[0];

const isByContent = ({ rule }: Sight): boolean => rule.hidesFacts === true;

/** Undefined: the record is not there. */
export const selectTag = async (
  db: Queryable,
  sight: Sight,
  { id, version }: Pick<RecordRow, 'id' | 'version'>,
): Promise<string | undefined> => {
  if (!isByContent(sight)) return `"${version}"`;
  const seen = await selectSeen(db, sight, id);
  return seen === undefined ? undefined : `"s${markOf(seen)}"`;
};

/** Which version the statement has to find. A record that is not seen is left to it: there is none. */
export const versionAt = async (
  db: Queryable,
  sight: Sight,
  recordId: string,
  match: Match,
): Promise<number | undefined> => {
  if ('read' in match) return match.read;
  if ('version' in match && !isByContent(sight)) return match.version;
  const seen = await selectSeen(db, sight, recordId);
  if (seen === undefined) return undefined;
  if (isByContent(sight) && 'mark' in match && match.mark === markOf(seen)) return seen.version;
  throw new ApiError('precondition_failed', 'The record has changed since: read it again before changing it');
};
