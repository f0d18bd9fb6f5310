import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { createBaseFromTemplate as endpoint } from '@rowhouse/contract/template.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { upgradeBaseIn } from '../../db/upgrade-base.ts';
import { type Base, selectBase } from '../base/base.sql.ts';
import { createBaseIn } from '../base/create-base.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { claimCopiedFiles } from '../file/copy-files.ts';
import { demandBytesIn } from '../plan/demand-bytes.ts';
import { claimCopies } from '../plan/table-rows.ts';
import { copyTables } from '../table/copy-tables.ts';
import { buildDefinition } from './build-definition.ts';
import { definitions } from './definitions.ts';
import { countUse, holdTemplate, selectTemplate, type TemplateRow } from './template.sql.ts';

type Given = BodyOf<typeof endpoint>;

/** A base of the space, for somebody who may create tables in it. */
const demandBase = async (tx: Tx, context: Context, baseId: string, spaceId: string): Promise<Base> => {
  await demandAccess(tx, context, { type: 'base', id: baseId, trashed: false }, 'table|create');
  const { id, name, icon, spaceId: at } = (await selectBase(tx, context.principal.userId, baseId)) as Base;
  if (at !== spaceId)
    throw invalid({
      path: 'baseId',
      message: `Base ${baseId} is not in space ${spaceId}`,
      expected: 'a base of that space',
    });
  return { id, name, icon, spaceId };
};

const fromSnapshot = async (
  tx: Tx,
  context: Context,
  snapshotBaseId: string,
  base: Base,
  { withRecords = false, baseId }: Given,
): Promise<void> => {
  await upgradeBaseIn(tx, snapshotBaseId);
  const records = await copyTables(tx, context, snapshotBaseId, base.id, {
    withRecords,
    isAddition: baseId !== undefined,
  });
  await claimCopies(tx, context, base.id, records);
  await claimCopiedFiles(tx, context, { baseId: base.id, spaceId: base.spaceId }, snapshotBaseId);
};

const nameOf = ({ name, definition, snapshotName }: TemplateRow): string =>
  name ?? definitions.get(definition ?? '')?.name ?? snapshotName ?? 'Untitled Base';

/** In one transaction: all of it is there, or nothing. */
export const createBaseFromTemplate = (context: Context, given: Given): Promise<Base> =>
  retriedTransaction(context.db, async (tx) => {
    const { spaceId, templateId, withRecords = false, baseId } = given;
    const into = baseId === undefined ? undefined : await demandBase(tx, context, baseId, spaceId);
    // Who may not create bases there learns nothing about templates.
    if (into === undefined)
      await demandAccess(tx, context, { type: 'space', id: spaceId, trashed: false }, 'base|create');
    const template = (await holdTemplate(tx, templateId)) ? await selectTemplate(tx, templateId) : undefined;
    if (template === undefined || !template.isPublished) throw notFound('Template', templateId.slice(0, 50));
    await demandBytesIn(tx, context, spaceId);
    const { snapshotBaseId } = template;
    const definition = snapshotBaseId === null ? definitions.get(template.definition ?? '') : undefined;
    const base =
      into ??
      (await createBaseIn(tx, context, {
        spaceId,
        name: nameOf(template),
        icon: template.icon,
      }));
    if (snapshotBaseId !== null) await fromSnapshot(tx, context, snapshotBaseId, base, given);
    else if (definition !== undefined) await buildDefinition(tx, context, base.id, definition, withRecords);
    await countUse(tx, templateId);
    return base;
  });
