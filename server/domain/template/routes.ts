import * as contract from '@rowhouse/contract/template.ts';
import { type Route, route } from '../../endpoint/route.ts';
import {
  createTemplateCategory,
  deleteTemplateCategory,
  listPublishedTemplateCategories,
  listTemplateCategories,
  updateTemplateCategory,
} from './categories.ts';
import { createTemplate, deleteTemplate, pinTemplate, updateTemplate } from './change-templates.ts';
import { createBaseFromTemplate } from './create-base-from-template.ts';
import { orderTemplate, orderTemplateCategory } from './order-templates.ts';
import { getTemplate, listPublishedTemplates, listTemplates } from './read-templates.ts';
import { getTemplateOfBase, publishBase, unpublishTemplate } from './publish-base.ts';
import { snapshotTemplate } from './take-snapshot.ts';
import { getTemplatePermalink, visitTemplate } from './visit-template.ts';

export const templateRoutes: Route[] = [
  route(contract.listTemplates, (context) => listTemplates(context)),
  route(contract.listPublishedTemplates, (context) => listPublishedTemplates(context)),
  route(contract.getTemplate, (context, { params }) => getTemplate(context, params.templateId)),
  // The body may be left out altogether, which the type of the contract cannot say.
  route(contract.createTemplate, (context, { body }) => createTemplate(context, body ?? {})),
  route(contract.updateTemplate, (context, { params, body }) => updateTemplate(context, params.templateId, body)),
  route(contract.snapshotTemplate, (context, { params }) => snapshotTemplate(context, params.templateId)),
  route(contract.publishBase, (context, { params, body }) => publishBase(context, params.baseId, body)),
  route(contract.getTemplateOfBase, (context, { params }) => getTemplateOfBase(context, params.baseId)),
  route(contract.unpublishTemplate, (context, { params }) => unpublishTemplate(context, params.templateId)),
  route(contract.pinTemplate, (context, { params }) => pinTemplate(context, params.templateId)),
  route(contract.orderTemplate, (context, { params, body }) => orderTemplate(context, params.templateId, body)),
  route(contract.orderTemplateCategory, (context, { params, body }) =>
    orderTemplateCategory(context, params.templateCategoryId, body),
  ),
  route(contract.visitTemplate, (context, { params }) => visitTemplate(context, params.templateId)),
  route(contract.getTemplatePermalink, (context, { params }) => getTemplatePermalink(context, params.identifier)),
  route(contract.deleteTemplate, (context, { params }) => deleteTemplate(context, params.templateId)),
  route(contract.listTemplateCategories, (context) => listTemplateCategories(context)),
  route(contract.listPublishedTemplateCategories, (context) => listPublishedTemplateCategories(context)),
  route(contract.createTemplateCategory, (context, { body }) => createTemplateCategory(context, body.name)),
  route(contract.updateTemplateCategory, (context, { params, body }) =>
    updateTemplateCategory(context, params.templateCategoryId, body.name),
  ),
  route(contract.deleteTemplateCategory, (context, { params }) =>
    deleteTemplateCategory(context, params.templateCategoryId),
  ),
  route(contract.createBaseFromTemplate, (context, { body }) => createBaseFromTemplate(context, body)),
];
