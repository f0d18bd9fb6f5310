// GET /admin/setting and /admin/setting/public
import type { Setting } from '@rowhouse/contract/setting.ts';
import type { Environment } from '../../context.ts';
import { selectSetting } from './setting.sql.ts';

export const getSetting = async ({ db, config }: Pick<Environment, 'db' | 'config'>): Promise<Setting> => {
  const { createdTime, ...setting } = await selectSetting(db);
  return {
    ...setting,
    disallowSignUp: setting.disallowSignUp || config.signUp !== 'open',
    enableEmailVerification: config.smtpUrl !== null,
    enableWaitlist: false,
    createdTime: new Date(createdTime).toISOString(),
    aiConfig: null,
  };
};
