import * as contract from '@rowhouse/contract/setting.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { getPublicSetting, getSetting } from './get-setting.ts';

export const settingRoutes: Route[] = [
  route(contract.getSetting, (context) => getSetting(context)),
  route(contract.getPublicSetting, (context) => getPublicSetting(context)),
];
