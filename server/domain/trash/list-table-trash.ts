// What was deleted inside a table: records, as an item for each request that deleted some, fields and views.
import { type ApiError, invalid } from '@rowhouse/contract/error.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { readTable } from '../field/change-schema.ts';
import { type DeletedField, selectDeletedFields } from '../field/deleted-field.sql.ts';
import { choicesOf } from '../cell/kind/choice.sql.ts';
import { oldestVisible } from '../history/retention.ts';
import {
  type Deletion,
  selectDeletions,
  selectDeletionTime,
  selectDeletedNames,
} from '../record/write/deleted-record.sql.ts';
import { type DeletedView, selectDeletedViews } from '../view/deleted-view.sql.ts';
import { recordTrashId, recordTrashOf } from './record-trash-id.ts';
import { type TableContents, trashIdOf } from './show-trash.ts';
import { selectDeleters } from './trash.sql.ts';

/** The request as one to a table that its address does not name. */
export const atTable = async (
  context: Context,
  tableId: string,
  action: 'table|trash_read' | 'table|trash_update' | 'table|trash_reset',
  missing?: ApiError,
): Promise<Context> => {
  const { spaceId, baseId, role, epoch, rights } = await demandAccess(
    context.db,
    context,
    { type: 'table', id: tableId, trashed: false },
    action,
    missing,
  );
  return {
    ...context,
    access: { ...context.access, epoch, spaceId, baseId, tableId, role, rights },
    refresh: async () => (await atTable(context, tableId, action, missing)).access,
  };
};

type Item = TableContents['trashItems'][number];
type Resource = TableContents['resourceMap'][string];

const take = 50;
const maxRecords = 10_000;

const startOf = (tableId: string, cursor: string | undefined): number | null => {
  if (cursor === undefined || cursor === '') return null;
  const place = recordTrashOf(cursor);
  if (place?.tableId !== tableId)
    throw invalid({ path: 'query.cursor', message: 'Expected the nextCursor of an earlier answer' });
  return place.opId;
};

/** At least one, and no more than a page can hold. */
const fitting = (deletions: readonly Deletion[]): Deletion[] => {
  let records = 0;
  return deletions.slice(0, take).filter(({ count }, index) => (records += count) <= maxRecords || index === 0);
};

interface Part {
  id: string;
  kind: 'field' | 'view';
  deletedTime: string;
  deletedBy: string;
  resource: Resource;
}

const fieldPart = ({ id, deletedTime, deletedBy, field: { name, type, options } }: DeletedField): Part => {
  const choices = choicesOf(options).map((choice) => choice.name);
  return {
    id,
    kind: 'field',
    deletedTime,
    deletedBy,
    resource: { id, name, type, isLookup: null, options: choices.length === 0 ? null : choices },
  };
};

const viewPart = ({ id, deletedTime, deletedBy, view: { name, type } }: DeletedView): Part => ({
  id,
  kind: 'view',
  deletedTime,
  deletedBy,
  resource: { id, name, type },
});

/** Whom rules bind see views that these list, and those that they deleted themselves. */
export const seesDeletedView = (
  { access: { rights, tableId }, principal }: Pick<Context, 'access' | 'principal'>,
  { id, deletedBy }: Pick<DeletedView, 'id' | 'deletedBy'>,
): boolean => {
  const views = rights.bound?.views(tableId as string) ?? null;
  return views === null || views.has(id) || deletedBy === principal.userId;
};

/** Fields and views stand between the records by the time of their deletion: those after the page before, and up to its end. */
const between = (
  parts: readonly Part[],
  { since, until, oldest }: { since: string | undefined; until: string | null; oldest: Date | null },
): Part[] =>
  parts.filter(({ deletedTime }) => {
    const time = Date.parse(deletedTime);
    return (
      (until === null || time < Date.parse(until)) &&
      (since === undefined || time >= Date.parse(since)) &&
      (oldest === null || time >= oldest.getTime())
    );
  });

export const listTableTrash = async (
  context: Context,
  tableId: string,
  cursor: string | undefined,
): Promise<TableContents> => {
  const { db } = context;
  const there = await atTable(context, tableId, 'table|trash_read');
  const sight = sightOf(there, await readTable(there, tableId));
  const { table } = sight;
  const oldest = await oldestVisible(db, there);
  const before = startOf(tableId, cursor);
  const until = before === null ? null : ((await selectDeletionTime(db, table, before)) ?? new Date(0).toISOString());
  // Nobody can tell whether records that are gone would be among those that the caller sees.
  const found =
    sight.rows === true && !sight.isMasked ? await selectDeletions(db, table, { before, oldest, take: take + 1 }) : [];
  const shown = fitting(found);
  const last = shown.length < found.length ? shown.at(-1) : undefined;
  const records =
    shown.length === 0
      ? []
      : await selectDeletedNames(
          db,
          sight,
          shown.map(({ opId }) => opId),
        );
  const deleted = [
    ...(sight.hasAllFields ? (await selectDeletedFields(db, tableId)).map(fieldPart) : []),
    ...(await selectDeletedViews(db, tableId)).filter((view) => seesDeletedView(there, view)).map(viewPart),
  ];
  const parts = between(deleted, { since: last?.time, until, oldest });
  const idsOf = new Map(shown.map(({ opId }) => [opId, [] as string[]]));
  for (const { opId, id } of records) idsOf.get(opId)?.push(id);
  const items: Item[] = shown.map(({ opId, time, actor }) => ({
    id: recordTrashId({ tableId, opId }),
    resourceIds: idsOf.get(opId) ?? [],
    resourceType: 'record',
    deletedTime: time,
    deletedBy: actor,
  }));
  const all = [
    ...parts.map(
      ({ id, kind, deletedTime, deletedBy }): Item => ({
        id: trashIdOf(id),
        resourceIds: [id],
        resourceType: kind,
        deletedTime,
        deletedBy,
      }),
    ),
    ...items,
  ].sort((one, other) => Date.parse(other.deletedTime) - Date.parse(one.deletedTime));
  const people = await selectDeleters(db, context.principal, [...new Set(all.map(({ deletedBy }) => deletedBy))]);
  return {
    trashItems: all,
    userMap: Object.fromEntries(people.map((user) => [user.id, user])),
    resourceMap: Object.fromEntries([
      ...records.map(({ id, name }): [string, Resource] => [id, { id, name: name ?? '' }]),
      ...parts.map(({ id, resource }): [string, Resource] => [id, resource]),
    ]),
    nextCursor: last === undefined ? null : recordTrashId({ tableId, opId: last.opId }),
  };
};
