// The settings of the instance as administrators see them.
import { getSetting } from '@rowhouse/contract/setting.ts';
import { queryOptions } from '@tanstack/react-query';
import { publicSettingQuery } from '../app/brand.ts';
import { call } from '../app/call.ts';
import { signInOptionsQuery } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';

export const settingsQuery = queryOptions({
  queryKey: ['admin-setting'],
  queryFn: ({ signal }) => call(getSetting, { signal }),
});

/** Also what everybody sees of them. */
export const reloadSettings = async (): Promise<void> => {
  await Promise.all(
    [settingsQuery, publicSettingQuery, signInOptionsQuery].map(({ queryKey }) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
};
