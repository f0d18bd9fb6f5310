// Switches of a plan: 402 for what the plan of the space does not have.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';

const features = {
  passwordRestrictedSharesEnable: 'shares behind a password: change the plan, or share without one',
  rowColoringEnable: 'colours by rules: change the plan, or leave them out',
  automationEnable: 'webhooks and automations: change the plan',
  advancedPermissionsEnable: 'rights on rows and fields: change the plan; rules that are on stay in force',
  buttonFieldEnable: 'button fields: change the plan',
  auditLogEnable: 'audit log: change the plan; what happens meanwhile is kept and shows with the next one',
  adminPanelEnable: 'panel for administrators (sizes and last use of bases): change the plan',
  userGroupEnable: 'groups of users: change the plan, or name people one by one',
  organizationEnable: 'organisations: change the plan',
  authenticationEnable: 'sign-in by other services: change the plan; what is set up stays in force',
  domainVerificationEnable: 'verified domains: change the plan; those that are verified stay so',
} as const;

export const demandFeature = ({ plans, access: { levels } }: Context, feature: keyof typeof features): void => {
  const limits = levels.length === 0 ? [plans.fallback.limit] : levels.map((level) => plans.limitOf(level));
  if (!limits.some((limit) => limit[feature]))
    throw new ApiError('payment_required', `The plan of this space has no ${features[feature]}`);
};
