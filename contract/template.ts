// Templates: bases to begin from. Administrators make them; everybody signed in sees the published ones.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

const tag = 'template';
const id = (description: string) => Type.String({ maxLength: 100, description });
const ofTemplate = Type.Object({ templateId: id('Id of the template.') });
const ofCategory = Type.Object({ templateCategoryId: id('Id of the category.') });
const forAdmins = { access: { on: 'admin' } } as const;
const forUsers = { access: { on: 'user' } } as const;

const cover = {
  id: Type.String({ maxLength: 100, description: 'Of this mention of the file: `act…`.' }),
  name: text({ maxLength: 255 }),
  token: Type.String({ maxLength: 100, description: 'Of an uploaded image.' }),
  size: Type.Optional(Type.Number()),
  url: Type.Optional(Type.String({ maxLength: 4_000 })),
  path: Type.Optional(Type.String({ maxLength: 1_000 })),
  mimetype: Type.Optional(Type.String({ maxLength: 255 })),
  width: Type.Optional(Type.Number()),
  height: Type.Optional(Type.Number()),
};

export const Template = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String({ description: 'One or two sentences.' })),
  markdownDescription: Type.Optional(Type.String()),
  categoryId: Type.Optional(Type.String()),
  isSystem: Type.Boolean({
    description: 'True for those that come with Rowhouse, and those that administrators mark.',
  }),
  isPublished: Type.Boolean(),
  usageCount: Type.Integer({ description: 'How many bases were begun from it.' }),
  visitCount: Type.Integer({ description: 'How often a client has said that somebody looked at it.' }),
  baseId: Type.Optional(Type.String({ description: 'The base that it is made from.' })),
  snapshot: Type.Optional(
    Type.Object(
      { baseId: Type.String(), snapshotTime: Type.String(), spaceId: Type.String(), name: Type.String() },
      {
        description:
          'The copy that new bases are made from: later changes of the base do not reach it. Absent before the first snapshot, and for templates that come with Rowhouse.',
      },
    ),
  ),
  cover: Type.Optional(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      token: Type.String(),
      size: Type.Integer(),
      url: Type.String(),
      path: Type.String(),
      mimetype: Type.String(),
      width: Type.Optional(Type.Integer()),
      height: Type.Optional(Type.Integer()),
      presignedUrl: Type.String({ description: 'Where the image can be read.' }),
    }),
  ),
  icon: Type.Union([Type.String(), Type.Null()], { description: 'Of the base, usually an emoji.' }),
  tables: Type.Array(Type.Object({ name: Type.String(), icon: Type.Union([Type.String(), Type.Null()]) }), {
    description: 'What a new base will hold.',
  }),
});
export type Template = Static<typeof Template>;

export const TemplateCategory = Type.Object({ id: Type.String(), name: Type.String(), order: Type.Number() });
export type TemplateCategory = Static<typeof TemplateCategory>;

const name = text({ minLength: 1, maxLength: 255 });
const description = text({ maxLength: 2_000 });
const baseId = id('A base that you can read. The template is made from a copy of it.');

export const listTemplates = endpoint({
  name: 'listTemplates',
  method: 'GET',
  path: '/template',
  summary: 'List all templates, also those that are not published',
  tag,
  ...forAdmins,
  status: 200,
  response: Type.Array(Template),
});

export const listPublishedTemplates = endpoint({
  name: 'listPublishedTemplates',
  method: 'GET',
  path: '/template/published',
  summary: 'List the templates to begin from',
  description: 'In the order that administrators give them.',
  tag,
  ...forUsers,
  status: 200,
  response: Type.Array(Template),
});

export const getTemplate = endpoint({
  name: 'getTemplate',
  method: 'GET',
  path: '/template/:templateId',
  summary: 'Get a template',
  description: 'One that is not published is shown to administrators only.',
  tag,
  ...forUsers,
  params: ofTemplate,
  status: 200,
  response: Template,
});

export const createTemplate = endpoint({
  name: 'createTemplate',
  method: 'POST',
  path: '/template/create',
  summary: 'Create a template',
  description: 'With `baseId` its first snapshot is made at once. It is published by `PATCH`.',
  tag,
  ...forAdmins,
  body: Type.Object({
    name: Type.Optional(name),
    description: Type.Optional(description),
    category: Type.Optional(id('Id of a category.')),
    baseId: Type.Optional(baseId),
  }),
  bodyOptional: true,
  status: 201,
  response: Template,
});

export const updateTemplate = endpoint({
  name: 'updateTemplate',
  method: 'PATCH',
  path: '/template/:templateId',
  summary: 'Change a template, publish it or withdraw it',
  description: 'What is left out stays. It can be published once it has a name and a snapshot.',
  tag,
  ...forAdmins,
  params: ofTemplate,
  body: Type.Object({
    name: Type.Optional(name),
    description: Type.Optional(description),
    markdownDescription: Type.Optional(text({ maxLength: 100_000 })),
    categoryId: Type.Optional(Type.Union([id('Id of a category.'), Type.Null()], { description: 'null: in none.' })),
    cover: Type.Optional(
      Type.Union([Type.Object(cover), Type.Null()], {
        description: 'What `/attachments/notify` answered, with `id` and `name`; null takes it away.',
      }),
    ),
    isPublished: Type.Optional(Type.Boolean()),
    isSystem: Type.Optional(Type.Boolean()),
    baseId: Type.Optional(id('A base that you can read. `POST …/snapshot` then copies it.')),
  }),
  status: 200,
  response: Template,
});

export const snapshotTemplate = endpoint({
  name: 'snapshotTemplate',
  method: 'POST',
  path: '/template/:templateId/snapshot',
  summary: 'Copy the base of a template as it is now',
  description:
    'New bases are made from this copy. Cells that name people are left empty in it. You need to be able to read the base and its records.',
  tag,
  ...forAdmins,
  params: ofTemplate,
  status: 201,
  response: Template,
});

export const publishBase = endpoint({
  name: 'publishBase',
  method: 'PUT',
  path: '/base/:baseId/publish',
  summary: 'Publish a base as a template',
  description:
    'Makes the template of the base, or brings it up to date: name, description and a new snapshot. You need to be able to read the base and its records. `DELETE /template/unpublish/{templateId}` withdraws it.',
  tag,
  ...forAdmins,
  params: Type.Object({ baseId }),
  body: Type.Object({
    title: name,
    description,
    nodes: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { maxItems: 0, description: 'None: a template is a whole base.' }),
    ),
    includeData: Type.Optional(
      Type.Boolean({
        description: 'Taken from clients that send it, and not used: the person who makes a base of it chooses.',
      }),
    ),
    cover: Type.Optional(Type.Union([Type.Object(cover), Type.Null()])),
    defaultActiveNodeId: Type.Optional(
      Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
        description: 'Taken from clients that send it, and not used.',
      }),
    ),
  }),
  status: 200,
  response: Type.Object({ baseId: Type.String(), templateId: Type.String() }),
});

export const getTemplateOfBase = endpoint({
  name: 'getTemplateOfBase',
  method: 'GET',
  path: '/template/by-base/:baseId',
  summary: 'The template that was made of a base',
  tag,
  ...forAdmins,
  params: Type.Object({ baseId }),
  status: 200,
  response: Template,
});

export const unpublishTemplate = endpoint({
  name: 'unpublishTemplate',
  method: 'DELETE',
  path: '/template/unpublish/:templateId',
  summary: 'Withdraw a template',
  description: 'It stays with its snapshot, for administrators.',
  tag,
  ...forAdmins,
  params: ofTemplate,
  status: 200,
});

export const pinTemplate = endpoint({
  name: 'pinTemplate',
  method: 'PATCH',
  path: '/template/:templateId/pin-top',
  summary: 'Put a template first',
  tag,
  ...forAdmins,
  params: ofTemplate,
  status: 200,
});

const newPlace = Type.Object({
  anchorId: id('The one beside which it stands from now on.'),
  position: Type.Enum(['before', 'after']),
});

export const orderTemplate = endpoint({
  name: 'orderTemplate',
  method: 'PUT',
  path: '/template/:templateId/order',
  summary: 'Put a template before or after another',
  tag,
  ...forAdmins,
  params: ofTemplate,
  body: newPlace,
  status: 200,
});

export const orderTemplateCategory = endpoint({
  name: 'orderTemplateCategory',
  method: 'PUT',
  path: '/template/category/:templateCategoryId/order',
  summary: 'Put a category of templates before or after another',
  tag,
  ...forAdmins,
  params: ofCategory,
  body: newPlace,
  status: 200,
});

export const visitTemplate = endpoint({
  name: 'visitTemplate',
  method: 'PATCH',
  path: '/template/:templateId/visit',
  summary: 'Count that somebody looked at a template',
  description: 'One that is published. The count is in `visitCount` of the template.',
  tag,
  ...forUsers,
  params: ofTemplate,
  status: 200,
});

export const getTemplatePermalink = endpoint({
  name: 'getTemplatePermalink',
  method: 'GET',
  path: '/template/permalink/:identifier',
  summary: 'The page where a base is begun from a template',
  description: '404 for a template that is not published. The page asks people to sign in first.',
  tag,
  access: { on: 'public' },
  params: Type.Object({ identifier: id('Id of the template.') }),
  status: 200,
  response: Type.Object({ redirectUrl: Type.String() }),
});

export const deleteTemplate = endpoint({
  name: 'deleteTemplate',
  method: 'DELETE',
  path: '/template/:templateId',
  summary: 'Delete a template with its snapshot',
  description: 'Bases that were begun from it stay.',
  tag,
  ...forAdmins,
  params: ofTemplate,
  status: 200,
});

export const listTemplateCategories = endpoint({
  name: 'listTemplateCategories',
  method: 'GET',
  path: '/template/category/list',
  summary: 'List the categories of templates',
  tag,
  ...forAdmins,
  status: 200,
  response: Type.Array(TemplateCategory),
});

export const listPublishedTemplateCategories = endpoint({
  name: 'listPublishedTemplateCategories',
  method: 'GET',
  path: '/template/category/list/published',
  summary: 'List the categories that published templates are in',
  tag,
  ...forUsers,
  status: 200,
  response: Type.Array(TemplateCategory),
});

export const createTemplateCategory = endpoint({
  name: 'createTemplateCategory',
  method: 'POST',
  path: '/template/category/create',
  summary: 'Create a category of templates',
  tag,
  ...forAdmins,
  body: Type.Object({ name }),
  status: 201,
  response: TemplateCategory,
});

export const updateTemplateCategory = endpoint({
  name: 'updateTemplateCategory',
  method: 'PATCH',
  path: '/template/category/:templateCategoryId',
  summary: 'Rename a category of templates',
  tag,
  ...forAdmins,
  params: ofCategory,
  body: Type.Object({ name }),
  status: 200,
  response: TemplateCategory,
});

export const deleteTemplateCategory = endpoint({
  name: 'deleteTemplateCategory',
  method: 'DELETE',
  path: '/template/category/:templateCategoryId',
  summary: 'Delete a category of templates',
  description: 'Its templates stay, in no category.',
  tag,
  ...forAdmins,
  params: ofCategory,
  status: 200,
});

export const createBaseFromTemplate = endpoint({
  name: 'createBaseFromTemplate',
  method: 'POST',
  path: '/base/create-from-template',
  summary: 'Begin a base from a template',
  description:
    'It needs `base|create` on the space. With `baseId` the tables of the template are added to that base instead, which needs `table|create` there.',
  tag: 'base',
  access: { on: 'user', scope: 'base|create' },
  body: Type.Object({
    spaceId: id('The space that the base goes to.'),
    templateId: id('A published template.'),
    withRecords: Type.Optional(Type.Boolean({ description: 'Also the records of the template. Default false.' })),
    baseId: Type.Optional(id('A base of that space, which gets the tables.')),
  }),
  status: 201,
  response: Type.Object({
    id: Type.String(),
    name: Type.String(),
    icon: Type.Union([Type.String(), Type.Null()]),
    spaceId: Type.String(),
  }),
});
