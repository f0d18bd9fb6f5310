// Addresses for an answer whose keys may be names of fields: a field can be called `path` and hold the text of a path. Only files
// that the base uses are shown, and those everybody in it can see.
import type { Queryable } from '../../db/db.ts';
import { selectUsed } from './file.sql.ts';
import { fileMark, mentionsIn } from './files.ts';
import type { Files } from '../../stored-files.ts';

const capacity = 50_000;

/** Pairs of base and file that were found. What ceases to be used is mentioned nowhere in its base. */
const known = new WeakMap<Files, Set<string>>();

export const showFiles = async (
  db: Queryable,
  files: Files,
  baseId: string | null,
  text: string,
  addressed?: (path: string) => string,
): Promise<string> => {
  if (baseId === null || !text.includes(fileMark)) return text;
  const used = known.get(files) ?? new Set<string>();
  known.set(files, used);
  const missing = [...new Set(mentionsIn(text))].filter((token) => !used.has(`${baseId} ${token}`));
  if (used.size + missing.length > capacity) used.clear();
  if (missing.length > 0) for (const token of await selectUsed(db, baseId, missing)) used.add(`${baseId} ${token}`);
  return files.show(text, (token) => used.has(`${baseId} ${token}`), addressed);
};
