// View as: in this tab a base is read as another person or as a role would read it. Every request in the base says so; the page is loaded again when it
// begins and ends, so that nothing stays of what was read otherwise.
interface Viewing {
  baseId: string;
  /** The id of a person or of a role. */
  as: string;
  name: string;
}

const key = 'rowhouse.viewing';

const stored = (): Viewing | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Viewing | null;
  } catch {
    return null;
  }
};

let viewing: Viewing | null = stored();

export const currentViewing = (): Viewing | null => viewing;

export const beginViewing = (next: Viewing): void => {
  sessionStorage.setItem(key, JSON.stringify(next));
  window.location.assign(`/base/${encodeURIComponent(next.baseId)}`);
};

const forget = (): void => {
  sessionStorage.removeItem(key);
  viewing = null;
};

/** Back to where it is begun. */
export const endViewing = (): void => {
  const baseId = viewing?.baseId;
  forget();
  if (baseId !== undefined) window.location.assign(`/base/${encodeURIComponent(baseId)}/rights`);
};

/** It is about one base: anyone who goes elsewhere is themselves again. */
export const leaveViewing = (baseId: string | undefined): void => {
  if (viewing === null || viewing.baseId === baseId) return;
  forget();
  window.location.reload();
};

const inBase = /^\/api\/(table|comment|export|integrity)\//;

/** Whether a request is about the base: what is about the person who looks, such as their notifications, stays theirs. */
const isAbout = (url: string, { baseId }: Viewing): boolean => {
  const [path = ''] = url.split('?');
  return inBase.test(path) || path === `/api/base/${baseId}` || path.startsWith(`/api/base/${baseId}/`);
};

export const viewingHeaders = (url: string): Record<string, string> =>
  viewing === null || !isAbout(url, viewing) ? {} : { 'x-view-as': viewing.as };

/** A stream of events cannot send a header. */
export const streamUrl = (url: string): string =>
  viewing === null || !isAbout(url, viewing)
    ? url
    : `${url}${url.includes('?') ? '&' : '?'}viewAs=${encodeURIComponent(viewing.as)}`;
