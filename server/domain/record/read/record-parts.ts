// Records that the server reads for itself, such as those of an event or of a copy. Nobody has asked for them page by page, so an answer's limit must not end the work: they are
// read in parts, each of which holds little enough to be worked on in one turn of the event loop.
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import type { Queryable } from '../../../db/db.ts';
import { answerLimit } from './json.sql.ts';
import { selectSizes } from './read.sql.ts';

/** 2 MiB. */
const mostBytes = (): number => answerLimit.bytes / 6;
/** What was written to their cells before may be larger than what is there now: also of small ones there are only so many. */
const mostRecords = 100;

export interface RecordPart {
  ids: string[];
  /** One record that holds more than an answer may: its cells cannot be read at once. */
  isTooLarge: boolean;
}

/** In the order of `ids`; those that are not there, or not seen, count as empty. */
export const recordParts = async (
  db: Queryable,
  sight: Sight,
  ids: readonly string[],
  fields: readonly FieldSchema[],
): Promise<RecordPart[]> => {
  const sizes = await selectSizes(db, sight, ids, fields);
  const parts: RecordPart[] = [];
  let bytes = Infinity;
  for (const id of ids) {
    const size = sizes.get(id) ?? 0;
    const part = parts.at(-1);
    if (part !== undefined && bytes + size <= mostBytes() && part.ids.length < mostRecords) {
      part.ids.push(id);
      bytes += size;
    } else {
      parts.push({ ids: [id], isTooLarge: size > answerLimit.bytes });
      bytes = size;
    }
  }
  return parts;
};
