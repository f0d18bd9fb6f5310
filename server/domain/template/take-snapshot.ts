// A snapshot is a copy of a base in a space that nobody has a role in: new bases are copies of that copy.
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Template } from '@rowhouse/contract/template.ts';
import { demandUnbound } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { selectBase, trashBase } from '../base/base.sql.ts';
import { makeBase } from '../base/create-base.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { keepCopiedFiles } from '../file/copy-files.ts';
import { copyTables } from '../table/copy-tables.ts';
import { destroyBaseIn } from '../trash/destroy-base.ts';
import { findTemplate, showTemplate } from './read-templates.ts';
import { lockTemplate, openSnapshotSpace, snapshotSpaceId, updateSnapshot } from './template.sql.ts';

/** For somebody who sees the whole of that base. */
export const copyAside = async (tx: Tx, context: Context, fromBaseId: string): Promise<string> => {
  for (const action of ['base|read', 'table|read', 'record|read'] as const)
    demandUnbound(
      await demandAccess(tx, context, { type: 'base', id: fromBaseId, trashed: false }, action),
      'a template',
    );
  const original = await selectBase(tx, context.principal.userId, fromBaseId);
  if (original === undefined) throw notFound('Base', fromBaseId);
  await openSnapshotSpace(tx, context.principal.userId);
  const copy = await makeBase(tx, context, { spaceId: snapshotSpaceId, name: original.name, icon: original.icon });
  await copyTables(tx, context, fromBaseId, copy.id, { withRecords: true, withoutPeople: true });
  await keepCopiedFiles(tx, copy.id, fromBaseId);
  await writeAudit(
    tx,
    doerOf(context),
    'base.copied',
    { baseIds: [fromBaseId] },
    { baseId: fromBaseId, copyId: copy.id, toSpaceId: snapshotSpaceId, withRecords: true },
  );
  return copy.id;
};

/** A server that ends in between leaves it in the trash of a space that nobody sees, where it is emptied one day. */
export const dropSnapshot = async (context: Context, baseId: string): Promise<void> => {
  await destroyBaseIn(context, snapshotSpaceId, baseId, 'trashed');
};

export const snapshotTemplate = async (context: Context, templateId: string): Promise<Template> => {
  const old = await context.db.transaction(async (tx) => {
    if (!(await lockTemplate(tx, templateId))) throw notFound('Template', templateId.slice(0, 50));
    const { baseId, snapshotBaseId } = await findTemplate({ ...context, db: tx }, templateId);
    if (baseId === null)
      throw invalid({
        path: 'templateId',
        message: `Template ${templateId} has no base to copy`,
        expected: 'a template whose baseId was set',
      });
    await updateSnapshot(tx, templateId, await copyAside(tx, context, baseId));
    if (snapshotBaseId !== null) await trashBase(tx, snapshotBaseId, context.principal.userId);
    return snapshotBaseId;
  });
  if (old !== null) await dropSnapshot(context, old);
  return showTemplate(context, templateId);
};
