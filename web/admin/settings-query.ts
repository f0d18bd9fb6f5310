import { getSetting } from '@rowhouse/contract/setting.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const settingsQuery = queryOptions({ queryKey: ['admin-setting'], queryFn: ({ signal }) => call(getSetting, { signal }) });
