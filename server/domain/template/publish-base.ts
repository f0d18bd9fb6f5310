// A base and its one template: PUT /base/:baseId/publish, GET /template/by-base/:baseId, DELETE /template/unpublish/:templateId.
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { publishBase as endpoint, Template } from '@rowhouse/contract/template.ts';
import type { Context } from '../../context.ts';
import { createTemplate, updateTemplate } from './change-templates.ts';
import { showTemplate } from './read-templates.ts';
import { snapshotTemplate } from './take-snapshot.ts';
import { selectTemplates } from './template.sql.ts';

const idOf = async ({ db }: Context, baseId: string): Promise<string | undefined> =>
  (await selectTemplates(db)).find((row) => row.baseId === baseId)?.id;

/** The snapshot is taken first: what cannot be read changes nothing. */
export const publishBase = async (
  context: Context,
  baseId: string,
  { title, description, cover }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const known = await idOf(context, baseId);
  const { id } =
    known === undefined
      ? await createTemplate(context, { name: title, description, baseId })
      : await snapshotTemplate(context, known);
  await updateTemplate(context, id, {
    name: title,
    description,
    isPublished: true,
    ...(cover === undefined ? {} : { cover }),
  });
  return { baseId, templateId: id };
};

export const getTemplateOfBase = async (context: Context, baseId: string): Promise<Template> => {
  const id = await idOf(context, baseId);
  if (id === undefined) throw notFound('Template of base', baseId.slice(0, 50));
  return showTemplate(context, id);
};

export const unpublishTemplate = async (context: Context, templateId: string): Promise<void> => {
  await updateTemplate(context, templateId, { isPublished: false });
};
