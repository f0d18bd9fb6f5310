// PATCH /template/:templateId/visit and GET /template/permalink/:identifier
import { notFound } from '@rowhouse/contract/error.ts';
import type { Context, PublicContext } from '../../context.ts';
import { countVisit, selectTemplate } from './template.sql.ts';

const missing = (id: string): Error => notFound('Template', id.slice(0, 50));

export const visitTemplate = async ({ db }: Context, templateId: string): Promise<void> => {
  if (!(await countVisit(db, templateId))) throw missing(templateId);
};

export const getTemplatePermalink = async (
  { db, publicUrl }: PublicContext,
  identifier: string,
): Promise<{ redirectUrl: string }> => {
  const found = await selectTemplate(db, identifier);
  if (found?.isPublished !== true) throw missing(identifier);
  return { redirectUrl: `${publicUrl()}/?template=${encodeURIComponent(found.id)}` };
};
