// Which addresses an application may register: absolute http(s), and for redirects nothing that could
// send a code to anywhere but the one place that was meant.

const form = /^https?:\/\/[^\s\\]+$/i;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const hasControl = (text: string): boolean => [...text].some((character) => character < ' ' || character === '\u007f');

/** What is wrong with an address, or undefined. */
export const addressFault = (text: string): string | undefined => {
  if (!form.test(text) || hasControl(text) || !URL.canParse(text)) return 'Expected an absolute http or https URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'Expected a URL without user name and password';
  return undefined;
};

export const redirectUriFault = (text: string): string | undefined => {
  const fault = addressFault(text);
  if (fault !== undefined) return fault;
  if (text.includes('#')) return 'Expected a URL without a fragment (#)';
  const url = new URL(text);
  if (url.protocol === 'http:' && !loopback.test(url.hostname))
    return 'Expected https; http is only allowed for localhost, 127.0.0.1 and [::1]';
  return undefined;
};

/** The registered URI with the answer of the server added to its query. */
export const withParameters = (uri: string, parameters: Record<string, string | null>): string => {
  const search = new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  return `${uri}${uri.includes('?') ? '&' : '?'}${search}`;
};
