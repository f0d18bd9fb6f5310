// Where signing in leads to.
import { innerPath } from '@rowhouse/contract/identity.ts';

/** The API's own pages are not part of the app: the browser has to go there. */
export const isOutside = (path: string | undefined): boolean => path !== undefined && /^\/(api|share)\//.test(path);

export interface RedirectSearch {
  redirect?: string | undefined;
}

// Named even when it is undefined: keys that are left out are kept as they came.
export const redirectSearch = (search: Record<string, unknown>): RedirectSearch => ({
  redirect: innerPath(search['redirect']),
});
