// POST /share/:shareId/view/copy-to-base: what a share shows becomes a table of somebody's own. It is read as a visitor reads it, and written as they write.
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import type { copyShareToBase as endpoint } from '@rowhouse/contract/share.ts';
import { type Access, demand } from '../../catalog/access.ts';
import { sightOf } from '../../catalog/sight.ts';
import { loadTable, type ViewSchema } from '../../catalog/table.ts';
import type { Context, PublicContext } from '../../context.ts';
import { guardedRead, guardedTransaction, seen, type TableAccess, Unwritten } from '../../pipeline/pipeline.ts';
import { Stale } from '../../pipeline/stale.ts';
import { fileTokens } from '../file/file.ts';
import { selectFiles, selectUsed } from '../file/file.sql.ts';
import { fieldVo } from '../field/field-vo.ts';
import { listRecords } from '../record/read/list-records.ts';
import { planCreate, writeCreate } from '../record/write/create-records.ts';
import { createTable } from '../table/create-table.ts';
import { inViewOrder } from './copy-share.ts';
import { type OpenShare, openShare } from './open-share.ts';
import { plainCells, plainFields } from './plain-copy.ts';
import { signedIn } from './signed-in.ts';

const mostRecords = 20_000;
const pageSize = 1_000;

interface Page {
  records: { fields: Record<string, unknown> }[];
  extra: { nextCursor: string | null };
}

const readAll = async ({ context, share: { viewId } }: OpenShare): Promise<Page['records']> => {
  const records: Page['records'] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = JSON.parse((await listRecords({ unconfirmed: context }, { viewId, fieldKeyType: 'id', take: pageSize, withGroups: false, ...(cursor === undefined ? {} : { cursor }) })).text) as Page;
    records.push(...page.records);
    if (records.length > mostRecords) throw invalid({ path: '', message: `The share shows more than ${mostRecords} records`, expected: `at most ${mostRecords} to be copied at once` });
    cursor = page.records.length < pageSize ? null : page.extra.nextCursor;
  }
  return records;
};

const accessTo = async (services: PublicContext, headers: IncomingHttpHeaders, baseId: string): Promise<Access> => {
  const access = await signedIn(services, headers, { type: 'base', id: baseId, trashed: false });
  demand(access, 'table|create', baseId);
  return access;
};

const contextOf = async (services: PublicContext, headers: IncomingHttpHeaders, baseId: string): Promise<Context> => {
  const access = await accessTo(services, headers, baseId);
  const { caller: _caller, ...rest } = services;
  return { ...rest, principal: access.principal, access, refresh: () => accessTo(services, headers, baseId), noteOperation: () => undefined };
};

export const copyShareToBase = async (services: PublicContext, shareId: string, headers: IncomingHttpHeaders, { baseId, name }: BodyOf<typeof endpoint>): Promise<ResponseOf<typeof endpoint>> => {
  const open = await openShare(services, shareId, headers);
  const { meta, view, share } = open;
  if (meta.allowCopy !== true || meta.includeRecords !== true) throw forbidden('This share does not allow copying');
  const context = await contextOf(services, headers, baseId);
  const shown = await guardedRead({ unconfirmed: open.context }, (present, sight) => seen(present, sight, inViewOrder(sight.fields, sight.table.views.find(({ id }) => id === share.viewId) as ViewSchema)));
  const fields = plainFields(shown.toSorted((one, other) => Number(other.isPrimary) - Number(one.isPrimary)).map(fieldVo), () => services.newId('fld'));
  const rows = (await readAll(open)).map(({ fields: cells }) => ({ fields: plainCells(fields, cells) }));
  const made = await guardedTransaction({ unconfirmed: context }, async (within) => {
    const { db: tx } = within;
    const table = await createTable(within, { name: name ?? view.name, fields: fields.map(({ to }) => to), views: [{ type: 'grid', name: view.name }], records: [] });
    // The visitor sees these files, so the copy may mention them: as far as the base of the share has them.
    const tokens = [...new Set(fileTokens(JSON.stringify(rows)))];
    const files = tokens.length === 0 ? [] : await selectFiles(tx, await selectUsed(tx, share.baseId, tokens));
    for (let at = 0; at < rows.length; at += pageSize) {
      const present: Context = { ...within, access: { ...within.access, tableId: table.id } as TableAccess };
      const sight = sightOf(present, await loadTable(tx, baseId, table.id));
      const planned = await planCreate(present, sight, { rows: rows.slice(at, at + pageSize), keyType: 'id', typecast: true, isUnanswered: true, files });
      if ((await writeCreate(present, planned)) instanceof Unwritten) throw new Stale('access');
    }
    return table;
  });
  services.live.changed(baseId);
  return { baseId, tableId: made.id, name: made.name, recordCount: rows.length };
};
