import * as contract from '@rowhouse/contract/setting.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { getSetting } from './get-setting.ts';
import { writeDecisions } from './setting.sql.ts';

export const settingRoutes: Route[] = [
  route(contract.getSetting, (context) => getSetting(context)),
  route(contract.getPublicSetting, async (context) => ({
    ...(await getSetting(context)),
    webSearchEnabled: false as const,
    appGenerationEnabled: false as const,
  })),
  route(contract.updateSetting, ({ db }, { body }) => writeDecisions(db, body)),
];
