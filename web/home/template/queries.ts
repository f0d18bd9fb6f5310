import { listPublishedTemplates, listTemplates } from '@rowhouse/contract/template.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

/** Those to begin from. */
export const publishedTemplatesQuery = queryOptions({
  queryKey: ['templates', 'published'],
  queryFn: ({ signal }) => call(listPublishedTemplates, { signal }),
  staleTime: 60_000,
});

/** For administrators: all. */
export const templatesQuery = queryOptions({
  queryKey: ['templates', 'all'],
  queryFn: ({ signal }) => call(listTemplates, { signal }),
});

export const reloadTemplates = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['templates'] });
