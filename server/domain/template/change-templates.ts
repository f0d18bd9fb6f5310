import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { createTemplate as creation, Template, updateTemplate as change } from '@rowhouse/contract/template.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { trashBase } from '../base/base.sql.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { showPublicly } from '../file/public-file.ts';
import { deletePublicFiles } from '../file/public-file.sql.ts';
import { findTemplate, showTemplate } from './read-templates.ts';
import { copyAside, dropSnapshot } from './take-snapshot.ts';
import {
  deleteTemplateRow,
  holdCategory,
  insertTemplate,
  lockTemplate,
  putFirst,
  updateSnapshot,
  updateTemplateRow,
} from './template.sql.ts';

const missing = (templateId: string): Error => notFound('Template', templateId.slice(0, 50));

const demandCategory = async (tx: Tx, categoryId: string | null | undefined, path: string): Promise<void> => {
  if (typeof categoryId === 'string' && !(await holdCategory(tx, categoryId)))
    throw invalid({
      path,
      message: `There is no category ${categoryId.slice(0, 50)}`,
      expected: 'the id of a category of templates',
    });
};

export const createTemplate = async (context: Context, given: BodyOf<typeof creation>): Promise<Template> => {
  const { name = null, description = null, category = null, baseId = null } = given;
  const id = context.newId('tpl');
  await context.db.transaction(async (tx) => {
    await demandCategory(tx, category, 'category');
    await insertTemplate(tx, { id, name, description, categoryId: category, baseId, userId: context.principal.userId });
    if (baseId !== null) await updateSnapshot(tx, id, await copyAside(tx, context, baseId));
  });
  return showTemplate(context, id);
};

export const updateTemplate = async (
  context: Context,
  templateId: string,
  { cover, ...given }: BodyOf<typeof change>,
): Promise<Template> => {
  await context.db.transaction(async (tx) => {
    if (!(await lockTemplate(tx, templateId))) throw missing(templateId);
    const { definition, snapshotBaseId, name } = await findTemplate({ ...context, db: tx }, templateId);
    await demandCategory(tx, given.categoryId, 'categoryId');
    if (given.baseId !== undefined)
      await demandAccess(tx, context, { type: 'base', id: given.baseId, trashed: false }, 'base|read');
    if (given.isPublished === true && definition === null) {
      if (snapshotBaseId === null)
        throw invalid({
          path: 'isPublished',
          message: 'A template without a snapshot cannot be published',
          expected: 'a snapshot first: POST /template/{templateId}/snapshot',
        });
      if ((given.name ?? name) === null)
        throw invalid({
          path: 'isPublished',
          message: 'A template without a name cannot be published',
          expected: 'a name',
        });
    }
    if (cover !== undefined) await deletePublicFiles(tx, templateId);
    if (cover !== undefined && cover !== null) await showPublicly(tx, context, templateId, cover.token, 'cover.token');
    await updateTemplateRow(tx, templateId, {
      ...given,
      ...(cover === undefined
        ? {}
        : { cover: cover === null ? null : { id: cover.id, name: cover.name, token: cover.token } }),
    });
  });
  return showTemplate(context, templateId);
};

export const pinTemplate = async ({ db }: Context, templateId: string): Promise<void> => {
  if (!(await putFirst(db, templateId))) throw missing(templateId);
};

export const deleteTemplate = async (context: Context, templateId: string): Promise<void> => {
  const snapshot = await context.db.transaction(async (tx) => {
    if (!(await lockTemplate(tx, templateId))) throw missing(templateId);
    const { snapshotBaseId } = await findTemplate({ ...context, db: tx }, templateId);
    await deletePublicFiles(tx, templateId);
    await deleteTemplateRow(tx, templateId);
    if (snapshotBaseId !== null) await trashBase(tx, snapshotBaseId, context.principal.userId);
    return snapshotBaseId;
  });
  if (snapshot !== null) await dropSnapshot(context, snapshot);
};
