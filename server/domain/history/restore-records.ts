// Brings deleted records back, with their ids, numbers, authors, times and places. Their cells come back as if the records
// had been there all the time: values of fields that are of another kind now are cast, and those of fields that are gone for good
// are left out.
import { forbidden } from '@rowhouse/contract/error.ts';
import type { RestoreConflict } from '@rowhouse/contract/history.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { type Sight, sightOf, sightOn } from '../../catalog/sight.ts';
import { type OperationFacts, selectOperationId } from '../../catalog/operation.sql.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { guardOf } from '../../pipeline/guard.sql.ts';
import type { TableContext } from '../../pipeline/pipeline.ts';
import { runScript } from '../../pipeline/script.ts';
import { Stale } from '../../pipeline/stale.ts';
import { isLink } from '../cell/linked.sql.ts';
import type { CellContext, Person } from '../cell/type.ts';
import { linkLimits } from '../cell/type/link.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { writeEdges } from '../computed/edge.sql.ts';
import { addChoices } from '../record/write/add-choices.ts';
import { type CellRequest, type Column, readOldCells } from '../record/write/cells.ts';
import { selectExisting } from '../record/write/link-targets.sql.ts';
import { restorableLinks, restoreOutOfSight, settlePlanOf, splitLinks } from '../record/write/links.ts';
import { selectRecordVersions } from '../record/read/read.sql.ts';
import { permitted, selectUnpermitted } from '../record/write/permits.sql.ts';
import { linkedWrite, NotWritten } from '../record/write/write-script.ts';
import {
  hiddenFields,
  insertDeleted,
  type DeletedRecord,
  selectDeleter,
  takeDeleted,
} from '../record/write/deleted-record.sql.ts';
import { peopleFor } from '../record/write/people.ts';
import { explainConstraint } from '../record/write/unique.ts';
import { relinkLater, splitLong } from './relink-later.ts';
import { insertWithQuota } from '../record/write/insert-with-quota.ts';
import { choicesMade, keepSideEffects } from '../record/write/side-effects.ts';
import { cellContext, keysOf, type NewChoices, operationOf } from '../record/write/write.ts';
import { oldestVisible } from './retention.ts';
import { createPause } from '../../work/slices.ts';

const rowsOf = (
  table: TableSchema,
  records: readonly DeletedRecord[],
): { id: string; fields: Record<string, unknown> }[] => {
  const writable = table.fields.filter((field) => !fieldTypeOf(field).isComputed);
  return records.map(({ id, fields, row: { hidden } }) => {
    const known = { ...hidden, ...fields };
    return {
      id,
      fields: Object.fromEntries(
        writable.flatMap((field) => (known[field.id] === undefined ? [] : [[field.id, known[field.id]]])),
      ),
    };
  });
};

/** People as the cells have them: they may have left the base since. */
const peopleIn = (table: TableSchema, rows: CellRequest['rows']): Person[] => {
  const people = new Map<string, Person>();
  for (const { id } of table.fields.filter((field) => fieldTypeOf(field).namesPeople === true)) {
    for (const { fields } of rows) {
      for (const cell of [fields[id] ?? []].flat() as {
        id?: string;
        title?: string;
        email?: string;
        avatarUrl?: string;
      }[]) {
        if (typeof cell.id === 'string')
          people.set(cell.id, {
            id: cell.id,
            name: cell.title ?? '',
            email: cell.email ?? '',
            avatar: cell.avatarUrl ?? null,
          });
      }
    }
  }
  return [...people.values()];
};

/** Fields in the trash get their cells too: they may come back later. */
const withHidden = (table: TableSchema): TableSchema => {
  const fields = [...table.fields, ...hiddenFields(table)];
  return { ...table, fields, byId: new Map(fields.map((field) => [field.id, field])) };
};

/** Values that do not fit as they are. */
const misfits = (table: TableSchema, rows: CellRequest['rows'], context: CellContext): RestoreConflict[] =>
  rows.flatMap(({ id, fields }) =>
    Object.entries(fields).flatMap(([fieldId, value]): RestoreConflict[] => {
      const field = table.byId.get(fieldId);
      if (field === undefined) return [];
      // Cells that grew by the other side hold more than a request may write, and fit all the same.
      const written = isLink(field) && Array.isArray(value) ? value.slice(0, linkLimits.written) : value;
      if (fieldTypeOf(field).read(written, field, context).ok) return [];
      return [
        {
          recordId: id as string,
          fieldId,
          reason: 'does_not_fit',
          message: `The old value does not fit "${field.name}" any more`,
        },
      ];
    }),
  );

/** Cells that grew by the other side hold more than a request may write. */
const withAllEnds = (column: Column, rows: CellRequest['rows']): Column => ({
  ...column,
  values: column.values.map((value, at) => {
    const cell = rows[at]?.fields[column.field.id];
    return Array.isArray(cell) && cell.length > linkLimits.written
      ? (cell as { id: string }[]).map(({ id }) => ({ id }))
      : value;
  }),
});

/** They are linked again to records that are there, and that are free where only one may have them. */
const relink = async (
  context: TableContext,
  table: TableSchema,
  ids: readonly string[],
  links: readonly Column[],
  request: CellRequest,
  operation: OperationFacts,
): Promise<void> => {
  const pause = createPause();
  await restoreOutOfSight(context.db, table, ids, links);
  await pause();
  const restorable = await restorableLinks(context.db, table, ids, links, (linked, foreign) =>
    selectExisting(context.db, linked, foreign),
  );
  await pause();
  const { now, later } = splitLong(table, ids, restorable);
  const { actor, tokenId, clientId } = operation;
  if (later.length > 0) {
    const cause = await selectOperationId(context.db, table, operation.publicId);
    for (const one of later)
      await relinkLater(context.db as Tx, {
        baseId: table.baseId,
        tableId: table.id,
        ...one,
        cause,
        actor,
        tokenId,
        clientId,
      });
    context.work.wake();
  }
  const plan = settlePlanOf(table, 'create', now);
  if (plan === null) return;
  await runScript(
    context.db as Tx,
    linkedWrite<void>({
      // Without a limit: what follows from restored records is not left to a job.
      reach: { context: { newId: context.newId }, plan, own: ids, links: now, request, isNew: true },
      isDecided: false,
      rows: {
        name: 'rows',
        async work(answers, tx) {
          for (const { linked, own, edges } of answers.get('links').wanted) await writeEdges(tx, linked, own, edges);
        },
      },
      settling: { operation },
    }),
  ).catch((error: unknown) => {
    throw error instanceof NotWritten ? new Stale('records') : error;
  });
};

/** Rules may have changed since, or what their conditions look at. Nothing is restored then. */
const demandSeenAgain = async (tx: Queryable, sight: Sight, ids: readonly string[]): Promise<void> => {
  const seen = await selectRecordVersions(tx, sight, ids);
  const unpermitted = await selectUnpermitted(tx, sight, ids, permitted(sight, 'delete'));
  if (seen.size < ids.length || unpermitted.length > 0)
    throw forbidden('Your roles do not let you see or delete all of these records any more; nothing was restored');
};

interface RestoreOptions {
  /** Whether what does not fit is cast. */
  force: boolean;
  refuse: (conflicts: readonly RestoreConflict[]) => Error;
  /** Another fault of a cell, such as a value that has to be unique and is taken. */
  explain: (error: unknown, rows: readonly { id: string }[], table: TableSchema) => unknown;
}

interface RestoredRecords {
  operationId: string;
  recordIds: string[];
  cells: number;
}

/** In the transaction of the context, which has closed the gate: it locks records before it knows what else it reaches. `opId`: what deleted them. Undefined when they are not kept any more. */
export const restoreRecords = async (
  context: TableContext,
  opId: number,
  { force, refuse, explain }: RestoreOptions,
): Promise<RestoredRecords | undefined> => {
  const { db: tx } = context;
  const { baseId, tableId, spaceId } = context.access;
  await lockSchema(tx, baseId, tableId);
  const present = await loadTable(tx, baseId, tableId);
  const sight = sightOf(context, present);
  const isLimited = sight.rows !== true || sight.isMasked;
  // Nobody can tell whether what others deleted would be among the records that the caller sees. What members deleted themselves they have seen, and have to see again.
  if (isLimited && sight.rule.key === undefined) return undefined;
  if (isLimited && (await selectDeleter(tx, present, opId)) !== context.principal.userId) return undefined;
  const table = withHidden(present);
  const records = await takeDeleted(tx, table, opId, await oldestVisible(tx, context));
  if (records.length === 0) return undefined;
  // A record may have very many links: others are served between the steps.
  const pause = createPause();
  const rows = rowsOf(table, records);
  const added: NewChoices = new Map();
  const people = [...peopleIn(table, rows), ...(await peopleFor(tx, table, spaceId, () => keysOf(rows), false))];
  const cellsContext = cellContext(context, people, added);
  await pause();
  const conflicts = force
    ? []
    : misfits(table, rows, cellsContext).filter(({ fieldId }) => sight.hasAllFields || sight.byId.has(fieldId));
  if (conflicts.length > 0) throw refuse(conflicts);
  await pause();
  const request: CellRequest = { rows: rows.map(({ fields }) => ({ fields })), keyType: 'id', typecast: true };
  try {
    const { cells: columns, links } = splitLinks(readOldCells(table, request, cellsContext).columns);
    await pause();
    const target = added.size > 0 ? await addChoices(tx, present, added) : present;
    const guard = guardOf(context, target);
    const operation = operationOf(context, 'restore');
    const insert = async ({ db }: Pick<Context, 'db'>): Promise<true | undefined> =>
      (await insertDeleted(db, guard, records, columns, operation).catch((error: unknown) => {
        throw explainConstraint(error, sightOn(sight, target), columns, request);
      })) || undefined;
    const ids = records.map(({ id }) => id);
    if (((await insert(context)) ?? (await insertWithQuota(context, guard, records.length, insert))) === undefined)
      throw new Stale('access');
    await writeAudit(
      tx,
      doerOf(context),
      'record.restored',
      { spaceIds: [spaceId] },
      { baseId, tableId, operationId: operation.publicId, records: ids.length },
    );
    await keepSideEffects(tx, baseId, operation.publicId, { choices: choicesMade(added) });
    await pause();
    await relink(
      context,
      target,
      ids,
      links.map((column) => withAllEnds(column, rows)),
      request,
      operation,
    );
    if (isLimited) await demandSeenAgain(tx, sightOn(sight, await loadTable(tx, baseId, tableId)), ids);
    return {
      operationId: operation.publicId,
      recordIds: ids,
      cells: rows.reduce((sum, { fields }) => sum + Object.keys(fields).length, 0),
    };
  } catch (error) {
    throw explain(error, rows, table);
  }
};
