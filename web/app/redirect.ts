// Where signing in leads to.
/** Only places inside the app: a link must not lead anywhere else after signing in. Browsers drop tabs and line breaks: `/<tab>/host` would be `//host`. */
export const innerPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])[^\t\r\n]*$/.test(value) ? value : undefined;

/** The API's own pages are not part of the app: the browser has to go there. */
export const isOutside = (path: string | undefined): boolean => path !== undefined && /^\/(api|share)\//.test(path);

export interface RedirectSearch {
  redirect?: string | undefined;
}

// Named even when it is undefined: keys that are left out are kept as they came.
export const redirectSearch = (search: Record<string, unknown>): RedirectSearch => ({
  redirect: innerPath(search['redirect']),
});
