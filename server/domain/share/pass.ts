// What a visitor has who knows the password of a share: a cookie that holds for this share alone, and ends with the password.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Tools } from '../../context.ts';
import { cookieValue } from '../../endpoint/credential.ts';
import type { ShareRow } from './share.sql.ts';

const aWeek = 7 * 86_400;

type Needs = Pick<Tools, 'secretKey' | 'now' | 'config'>;

const passUntil = ({ secretKey }: Needs, { shareId, passwordHash }: ShareRow, until: number): string =>
  `${until}.${secretKey.derive('share', shareId, passwordHash as string, String(until))}`;

export const newPass = (tools: Needs, share: ShareRow): string =>
  passUntil(tools, share, tools.now().getTime() + aWeek * 1_000);

/** A page that other sites may show needs it there too. */
export const passCookie = ({ config }: Needs, { shareId, meta }: ShareRow, pass: string): string => {
  const isSecure = config.publicUrl?.startsWith('https:') === true;
  const isFramed = (meta?.frameAncestors?.length ?? 0) > 0;
  const rest = isSecure ? (isFramed ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax; Secure') : 'SameSite=Lax';
  return `${shareId}=${pass}; Path=/api/share/${shareId}; HttpOnly; ${rest}; Max-Age=${aWeek}`;
};

export const hasPass = (tools: Needs, share: ShareRow, headers: IncomingHttpHeaders): boolean => {
  const given = cookieValue(headers.cookie, share.shareId);
  const until = Number(given?.split('.')[0]);
  if (given === undefined || !Number.isSafeInteger(until) || until <= tools.now().getTime()) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(passUntil(tools, share, until))];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** For work that goes on after the visitor was let in: another one once the password is. */
export const passwordMarkOf = ({ secretKey }: Needs, { shareId, passwordHash }: ShareRow): string =>
  secretKey.derive('share password', shareId, passwordHash ?? '');
