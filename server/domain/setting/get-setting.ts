// GET /admin/setting and /admin/setting/public
import type { PublicSetting, Setting } from '@rowhouse/contract/setting.ts';
import type { Environment } from '../../context.ts';
import { selectSetting } from './setting.sql.ts';

type Needs = Pick<Environment, 'db' | 'config'>;

export const getSetting = async ({ db, config }: Needs): Promise<Setting> => {
  const { createdTime, ...setting } = await selectSetting(db);
  return {
    ...setting,
    invitationsPerHour: setting.invitationsPerHour ?? config.invitationsPerHour,
    sessionIdleHours: setting.sessionIdleHours ?? config.sessionIdleHours,
    sessionHours: setting.sessionHours ?? config.sessionHours,
    disallowSignUp: setting.disallowSignUp || config.signUp !== 'open',
    enableEmailVerification: config.smtpUrl !== null,
    enableWaitlist: false,
    createdTime: new Date(createdTime).toISOString(),
    aiConfig: null,
  };
};

/** Everybody may read it: without what only administrators need. */
export const getPublicSetting = async (needs: Needs): Promise<PublicSetting> => {
  const {
    invitationsPerHour: _invitations,
    sessionIdleHours: _idle,
    sessionHours: _longest,
    auditDays: _days,
    refusedEmailDomains: _domains,
    ...shown
  } = await getSetting(needs);
  return { ...shown, webSearchEnabled: false, appGenerationEnabled: false };
};
