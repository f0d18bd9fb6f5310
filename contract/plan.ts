// Plans: what a space may use, and the products and prices they are bought by. Both are the operator's own.
import { type Static, Type } from 'typebox';
import { baseParams, spaceParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';

const whole = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const flag = (description: string) => Type.Boolean({ description });

export const planLimit = Type.Object({
  maxRows: whole('Records in all bases of the space; what is in the trash does not count.'),
  maxSizeAttachments: whole('Bytes of all attachments together.'),
  maxNumDatabaseConnections: whole('Bases of the space that can be opened for reading by SQL.'),
  maxRevisionHistoryDays: whole('Days that the history of records is shown.'),
  maxAutomationHistoryDays: whole('Days that runs of automations are kept.'),
  automationEnable: flag('Automations.'),
  auditLogEnable: flag('Audit log.'),
  adminPanelEnable: flag('Panel for administrators.'),
  rowColoringEnable: flag('Colours of rows.'),
  buttonFieldEnable: flag('Fields of the type button.'),
  fieldAIEnable: flag('Fields filled by AI.'),
  userGroupEnable: flag('Groups of users.'),
  advancedExtensionsEnable: flag('Advanced extensions.'),
  advancedPermissionsEnable: flag('Advanced permissions.'),
  passwordRestrictedSharesEnable: flag('Shares behind a password.'),
  authenticationEnable: flag('Sign-in by other services.'),
  domainVerificationEnable: flag('Verified domains.'),
  organizationEnable: flag('Organisations.'),
  apiRateLimit: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Requests per second and token; per user for sessions.',
  }),
  chatAIEnable: flag('Chat with AI.'),
  appEnable: flag('Apps.'),
  customDomainEnable: flag('Domains of the own.'),
});
export type PlanLimit = Static<typeof planLimit>;

export const level = Type.String({
  description: '`free`, `plus`, `pro`, `enterprise`, or another level of the operator.',
});
export const interval = Type.Enum(['month', 'year'], { description: 'How long a period of payment is.' });
export type Interval = Static<typeof interval>;

const usage = Type.Object({ level, limit: planLimit });

const price = Type.Object({
  id: Type.String(),
  productId: Type.String(),
  type: Type.Literal('base'),
  interval,
  intervalCount: Type.Integer({ description: 'How many of `interval` are one period.' }),
  unitAmount: Type.Integer({ description: 'Per seat and period, in the smallest unit of the currency.' }),
  currency: Type.String({ description: 'Three letters, as in ISO 4217, in lower case.' }),
});

const baseProduct = Type.Object({
  id: Type.String(),
  type: Type.Literal('base'),
  catalog: Type.Literal('cloud'),
  level,
  trialPeriodInDays: Type.Integer(),
  giftCredit: Type.Integer({ description: 'Credit that comes with the first subscription to this level.' }),
  creditSubscribeEnable: Type.Boolean({ description: 'Whether credit can be bought on top.' }),
  limit: planLimit,
  prices: Type.Array(price),
});
export type BaseProduct = Static<typeof baseProduct>;

export const getBaseUsage = endpoint({
  name: 'getBaseUsage',
  method: 'GET',
  path: '/base/:baseId/usage',
  summary: 'Get the plan of the space of a base, and its limits',
  tag: 'plan',
  access: { on: 'base', action: 'base|read' },
  params: baseParams,
  status: 200,
  response: usage,
});

export const getSpaceUsage = endpoint({
  name: 'getSpaceUsage',
  method: 'GET',
  path: '/space/:spaceId/usage',
  summary: 'Get the plan of a space, and its limits',
  tag: 'plan',
  access: { on: 'space', action: 'space|read' },
  params: spaceParams,
  status: 200,
  response: usage,
});

export const getInstanceUsage = endpoint({
  name: 'getInstanceUsage',
  method: 'GET',
  path: '/instance/usage',
  summary: 'Get the highest plan of this instance, and its limits',
  tag: 'plan',
  access: { on: 'user' },
  status: 200,
  response: usage,
});

export const listBaseProducts = endpoint({
  name: 'listBaseProducts',
  method: 'GET',
  path: '/billing/base-products',
  summary: 'List the plans and their prices',
  tag: 'plan',
  access: { on: 'user' },
  status: 200,
  response: Type.Array(baseProduct),
});
