import { notFound } from '@rowhouse/contract/error.ts';
import type { Template } from '@rowhouse/contract/template.ts';
import type { Context } from '../../context.ts';
import { isUnrestricted } from '../user/demand-unrestricted.ts';
import { selectPublished, selectTemplate, selectTemplates, type TemplateRow } from './template.sql.ts';
import { templateVos } from './template-vo.ts';

export const listTemplates = async (context: Context): Promise<Template[]> =>
  templateVos(context, await selectTemplates(context.db));

export const listPublishedTemplates = async (context: Context): Promise<Template[]> =>
  templateVos(context, await selectPublished(context.db));

export const findTemplate = async (context: Context, id: string): Promise<TemplateRow> => {
  const row = await selectTemplate(context.db, id);
  if (row === undefined) throw notFound('Template', id.slice(0, 50));
  return row;
};

export const showTemplate = async (context: Context, id: string): Promise<Template> =>
  (await templateVos(context, [await findTemplate(context, id)]))[0] as Template;

/** One that is not published is unknown to all but administrators, with credentials that may administer. */
export const getTemplate = async (context: Context, id: string): Promise<Template> => {
  const row = await findTemplate(context, id);
  if (!row.isPublished && !(context.principal.isAdmin && isUnrestricted(context.principal)))
    throw notFound('Template', id.slice(0, 50));
  return (await templateVos(context, [row]))[0] as Template;
};
