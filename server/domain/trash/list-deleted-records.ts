// The records of a table that were deleted, as an item for each request that deleted some.
import { invalid } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { oldestVisible } from '../history/retention.ts';
import { type Deletion, selectDeletions, selectKeptNames } from '../record/kept.sql.ts';
import { recordTrashId, recordTrashOf } from './record-trash-id.ts';
import type { TableContents } from './show-trash.ts';
import { selectDeleters } from './trash.sql.ts';

const take = 50;
const maxRecords = 10_000;

const startOf = (tableId: string, cursor: string | undefined): number | null => {
  if (cursor === undefined || cursor === '') return null;
  const place = recordTrashOf(cursor);
  if (place?.tableId !== tableId) throw invalid({ path: 'query.cursor', message: 'Expected the nextCursor of an earlier answer' });
  return place.opId;
};

/** At least one, and no more than a page can hold. */
const fitting = (deletions: readonly Deletion[]): Deletion[] => {
  let records = 0;
  return deletions.slice(0, take).filter(({ count }, index) => (records += count) <= maxRecords || index === 0);
};

export const listDeletedRecords = async (context: Context, tableId: string, cursor: string | undefined): Promise<TableContents> => {
  const { db } = context;
  const stand = await demandAccess(db, context, { type: 'table', id: tableId, trashed: false }, 'table|trash_read');
  const table = { baseId: stand.baseId as string, id: tableId };
  const oldest = await oldestVisible(db, { ...context, access: { ...context.access, spaceId: stand.spaceId } });
  const found = await selectDeletions(db, table, { before: startOf(tableId, cursor), oldest, take: take + 1 });
  const shown = fitting(found);
  const last = shown.length < found.length ? shown.at(-1) : undefined;
  const records = shown.length === 0 ? [] : await selectKeptNames(db, table, shown.map(({ opId }) => opId));
  const people = await selectDeleters(db, [...new Set(shown.map(({ actor }) => actor))]);
  const idsOf = new Map(shown.map(({ opId }) => [opId, [] as string[]]));
  for (const { opId, id } of records) idsOf.get(opId)?.push(id);
  return {
    trashItems: shown.map(({ opId, time, actor }) => ({
      id: recordTrashId({ tableId, opId }),
      resourceIds: idsOf.get(opId) ?? [],
      resourceType: 'record',
      deletedTime: time,
      deletedBy: actor,
    })),
    userMap: Object.fromEntries(people.map((user) => [user.id, user])),
    resourceMap: Object.fromEntries(records.map(({ id, name }) => [id, { id, name: name ?? '' }])),
    nextCursor: last === undefined ? null : recordTrashId({ tableId, opId: last.opId }),
  };
};
