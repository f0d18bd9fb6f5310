// What the instance is called. Remembered in this browser, so that it is there at the first drawing; asked for again on pages that show it.
import { getPublicSetting } from '@rowhouse/contract/setting.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from './call.ts';
import { createStored } from './stored.ts';

export const publicSettingQuery = queryOptions({
  queryKey: ['public-setting'],
  queryFn: ({ signal }) => call(getPublicSetting, { signal }),
  staleTime: 600_000,
});

const stored = createStored<string | null>('rowhouse.brand', null, (value) =>
  typeof value === 'string' && value !== '' ? value : undefined,
);

const useBrand = (): string => stored.use() ?? 'Rowhouse';

/** On the pages that show it. */
export const useFreshBrand = (): string => {
  const name = useQuery(publicSettingQuery).data?.brandName;
  useEffect(() => {
    if (name !== undefined && name !== stored.read()) stored.write(name);
  }, [name]);
  return useBrand();
};

/** What the tab of the browser says, and what a screen reader says first on a new page. */
export const useTitle = (title: string | undefined): void => {
  const brand = useBrand();
  useEffect(() => {
    document.title = title === undefined ? brand : `${title} · ${brand}`;
  }, [title, brand]);
};
