// What a comment may mention: people who have a role here, fields and records that its author sees, files that the author may use.
import { invalid } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import type { TableAccess } from '../../pipeline/pipeline.ts';
import { Stale } from '../../pipeline/stale.ts';
import { selectPeople } from '../field/field.sql.ts';
import { useFiles } from '../file/file-room.ts';
import { selectSeenFiles } from '../file/file.sql.ts';
import { selectRecordVersions } from '../record/read/read.sql.ts';
import { mentionsOf, type Mentions, type StoredContent } from './content.ts';

const without = (ids: readonly string[], known: readonly string[]): string[] => ids.filter((id) => !known.includes(id));

const refuse = (id: string, what: string): Error =>
  invalid({
    path: 'content',
    message: `The comment mentions ${id}: ${what}`,
    expected: 'a mention of something that is there',
  });

/** `before` is what it mentioned so far: that stays, also when it is gone by now. */
export const demandMentions = async (
  { db, principal, access }: Context,
  sight: Sight,
  content: StoredContent,
  before: StoredContent = [],
): Promise<Mentions> => {
  const mentions = mentionsOf([content]);
  const known = mentionsOf([before]);
  const people = without(mentions.people, known.people);
  if (people.length > 0) {
    const members = new Set((await selectPeople(db, access.spaceId as string, sight.table.baseId)).map(({ id }) => id));
    const stranger = people.find((id) => !members.has(id));
    if (stranger !== undefined) throw refuse(stranger, 'nobody with this id has a role here');
  }
  const field = without(mentions.fields, known.fields).find((id) => !sight.byId.has(id));
  if (field !== undefined) throw refuse(field, 'the table has no such field');
  const records = without(mentions.records, known.records);
  if (records.length > 0) {
    const found = await selectRecordVersions(db, sight, records);
    const missing = records.find((id) => !found.has(id));
    if (missing !== undefined) throw refuse(missing, 'the table has no such record');
  }
  const images = without(mentions.files, known.files);
  if (images.length > 0) {
    const usable = new Set((await selectSeenFiles(db, images, { principal })).map(({ token }) => token));
    const lost = images.find((token) => !usable.has(token));
    if (lost !== undefined) throw refuse(lost, 'there is no such file');
  }
  return mentions;
};

/** In the transaction of the write. */
export const claimImages = async (context: Context, tokens: readonly string[]): Promise<void> => {
  if (tokens.length === 0) return;
  const { baseId, spaceId } = context.access as TableAccess;
  if (!(await useFiles(context.db as Tx, context, { baseId, spaceId }, tokens))) throw new Stale('records');
};
