// The table that a copy of a share becomes: all of it in one transaction, so that a copy which fails leaves nothing.
import type { Action } from '@rowhouse/contract/permission.ts';
import { type Access, demand } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { sightOf } from '../../catalog/sight.ts';
import { loadTable, type ViewSchema } from '../../catalog/table.ts';
import type { Context, Unconfirmed } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { guardedRead, seen, type TableAccess, Unwritten } from '../../pipeline/pipeline.ts';
import { Stale } from '../../pipeline/stale.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { fieldVo } from '../field/field-vo.ts';
import { fileTokens } from '../file/file.ts';
import { selectFiles, selectUsed } from '../file/file.sql.ts';
import { claimCopies } from '../plan/table-rows.ts';
import { listRecords, queryFor } from '../record/read/list-records.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import { type RecordPart, recordParts } from '../record/read/record-parts.ts';
import { type CreateInput, planCreate, writeCreate } from '../record/write/create-records.ts';
import { createTable } from '../table/create-table.ts';
import { inViewOrder } from './copy-share.ts';
import type { OpenShare } from './open-share.ts';
import { plainCells, type PlainField, plainFields } from './plain-copy.ts';

const pageSize = 1_000;

export type SharedRecord = { fields: Record<string, unknown> };

interface Page {
  records: { id: string }[];
  extra: { nextCursor: string | null };
}

export const fieldsToCopy = async ({ context, share: { viewId } }: OpenShare): Promise<PlainField[]> => {
  const shown = await guardedRead({ unconfirmed: context }, (present, sight) =>
    seen(present, sight, inViewOrder(sight.fields, sight.table.views.find(({ id }) => id === viewId) as ViewSchema)),
  );
  return plainFields(shown.toSorted((one, other) => Number(other.isPrimary) - Number(one.isPrimary)).map(fieldVo), () =>
    context.newId('fld'),
  );
};

interface ReadPart {
  records: SharedRecord[];
  /** Of their JSON text. */
  characters: number;
}

/** What a visitor sees, in the order of the view. */
export async function* pagesOf({ context, share: { viewId } }: OpenShare): AsyncGenerator<ReadPart> {
  const request = { unconfirmed: context };
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = JSON.parse(
      (
        await listRecords(request, {
          viewId,
          projection: [],
          fieldKeyType: 'id',
          take: pageSize,
          withGroups: false,
          ...(cursor === undefined ? {} : { cursor }),
        })
      ).text,
    ) as Page;
    const ids = page.records.map(({ id }) => id);
    const parts = await guardedRead(request, async (present, sight) =>
      seen(present, sight, await recordParts(present.db, sight, ids, sight.fields)),
    );
    for (const part of parts) yield await readPart(request, viewId, part);
    cursor = page.extra.nextCursor;
  }
}

const readPart = (request: Unconfirmed, viewId: string, { ids }: RecordPart): Promise<ReadPart> =>
  guardedRead(request, async (present, sight) => {
    const { visible } = queryFor(sight, { viewId });
    const rows = await selectRecords(present.db, sight, ids, { fields: visible, keyType: 'id', format: 'json' });
    const found = new Map(rows.map(({ id, json }) => [id, json]));
    const texts = ids.flatMap((id) => found.get(id) ?? []);
    return seen(present, sight, {
      records: texts.map((text) => JSON.parse(`${text}}`) as SharedRecord),
      characters: texts.reduce((sum, { length }) => sum + length, 0),
    });
  });

export const neededToCopy: readonly Action[] = ['table|create'];

export const demandMayCopy = (access: Access): Access => {
  for (const action of neededToCopy) demand(access, action, access.baseId as string);
  return access;
};

const mostTries = 50;

interface Maker {
  within: Context & { db: Tx };
  /** What the one who copies may do by now; throws when that is not enough. */
  present: () => Promise<Access>;
}

/** Only this transaction knows the table. What may have moved on is what the one who copies may do: it is asked for with each page. */
const writePage = async ({ within, present }: Maker, tableId: string, input: CreateInput): Promise<void> => {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const access = { ...(await present()), tableId } as TableAccess;
    const context: Context = { ...within, principal: access.principal, access };
    const planned = await planCreate(
      context,
      sightOf(context, await loadTable(within.db, access.baseId, tableId)),
      input,
    );
    if (!((await writeCreate(context, planned)) instanceof Unwritten)) return;
  }
  throw new Stale('access');
};

/** The visitor sees these files, so the copy may mention them: as far as the base of the share has them. */
const filesIn = async (
  tx: Tx,
  fromBaseId: string,
  rows: readonly SharedRecord[],
  fields: readonly PlainField[],
): Promise<NonNullable<CreateInput['files']>> => {
  const keys = fields.filter(({ to }) => fieldTypeOf(to.type).namesFiles === true).map(({ to }) => to.id);
  const tokens =
    keys.length === 0
      ? []
      : [...new Set(fileTokens(JSON.stringify(rows.map(({ fields: cells }) => keys.map((key) => cells[key])))))];
  return tokens.length === 0 ? [] : selectFiles(tx, await selectUsed(tx, fromBaseId, tokens));
};

interface CopyPlan {
  name: string;
  fromBaseId: string;
  viewName: string;
  fields: readonly PlainField[];
}

export interface MadeCopy {
  tableId: string;
  name: string;
  recordCount: number;
}

export const makeCopy = async (
  maker: Maker,
  { name, fromBaseId, viewName, fields }: CopyPlan,
  pages: AsyncIterable<SharedRecord[]> | Iterable<SharedRecord[]>,
  onPage?: (count: number) => Promise<void>,
): Promise<MadeCopy> => {
  const { within } = maker;
  const table = await createTable(within, {
    name,
    fields: fields.map(({ to }) => to),
    views: [{ type: 'grid', name: viewName }],
    records: [],
  });
  let recordCount = 0;
  for await (const page of pages) {
    const rows = page.map(({ fields: cells }) => ({ fields: plainCells(fields, cells) }));
    await writePage(maker, table.id, {
      rows,
      keyType: 'id',
      typecast: true,
      isUnanswered: true,
      isClaimedLater: true,
      files: await filesIn(within.db, fromBaseId, rows, fields),
    });
    recordCount += rows.length;
    await onPage?.(recordCount);
  }
  // Exact, and at the end: from here on nobody else in the space creates records until this is committed.
  await claimCopies(within.db, within, within.access.baseId as string, recordCount);
  // Only where the copy is: the owners of the share let anyone copy it, and are not told who visits.
  const baseId = within.access.baseId as string;
  await writeAudit(
    within.db,
    doerOf(within),
    'table.copied',
    { baseIds: [baseId] },
    { baseId, copyId: table.id, name, from: 'share', records: recordCount },
  );
  return { tableId: table.id, name: table.name, recordCount };
};
