// The pages of signing in and up, for somebody who is signed in: on to where they wanted to go.
import { redirect } from '@tanstack/react-router';
import { meQuery } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { isOutside, type RedirectSearch } from '../app/redirect.ts';

export const skipWhenSignedIn = async ({ search }: { search: RedirectSearch }): Promise<void> => {
  if ((await queryClient.ensureQueryData(meQuery)) !== null)
    throw redirect({ href: search.redirect ?? '/', reloadDocument: isOutside(search.redirect) });
};
