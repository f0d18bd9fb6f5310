import { useRouter } from '@tanstack/react-router';
import type { Me } from '../app/me.ts';
import { meKey, queryClient } from '../app/query-client.ts';

/** What happens once someone has signed in or up: on to the page that was wanted. */
export const useEnter = (wanted: string | undefined): ((me: Me) => Promise<void>) => {
  const router = useRouter();
  return async (me) => {
    queryClient.clear();
    queryClient.setQueryData(meKey, me);
    if (wanted !== undefined && /^\/(api|share)\//.test(wanted)) window.location.assign(wanted);
    else await router.navigate({ href: wanted ?? '/' });
  };
};
