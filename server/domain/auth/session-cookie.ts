// The Set-Cookie header of a session. The browser keeps it for a year, the longest that a session can last; the session itself ends
// as the settings say.
import type { Config } from '../../config.ts';
import { sessionCookie } from '../../endpoint/credential.ts';

const aYear = 365 * 24 * 60 * 60;

const cookie = (config: Config, value: string, maxAge: number): string => {
  const secure = config.publicUrl?.startsWith('https:') === true ? '; Secure' : '';
  return `${sessionCookie}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
};

export const setSessionCookie = (config: Config, secret: string): string => cookie(config, secret, aYear);

export const clearSessionCookie = (config: Config): string => cookie(config, '', 0);
