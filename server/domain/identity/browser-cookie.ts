// The cookie that binds a sign-in through a provider to the browser in which it began, so that nobody is signed in by a link
// of somebody else.
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config.ts';
import { cookieValue } from '../../endpoint/credential.ts';

const isSecure = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean => publicUrl?.startsWith('https:') === true;

/** With its prefix no other host of the domain can set it. */
const nameOf = (config: Pick<Config, 'publicUrl'>): string =>
  isSecure(config) ? '__Host-sign_in_browser' : 'sign_in_browser';

export const browserCookie = (config: Pick<Config, 'publicUrl'>, secret: string, seconds: number): string =>
  `${nameOf(config)}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure(config) ? '; Secure' : ''}`;

export const browserSecretOf = (
  config: Pick<Config, 'publicUrl'>,
  { cookie }: IncomingHttpHeaders,
): string | undefined => {
  const found = cookieValue(cookie, nameOf(config));
  return found !== undefined && /^[\w-]{43}$/.test(found) ? found : undefined;
};
