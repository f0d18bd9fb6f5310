// What a visitor has who knows the password of a share: a cookie that holds for this share alone, and ends with the password.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Tools } from '../../context.ts';
import { cookieValue } from '../../endpoint/credential.ts';

const aWeek = 7 * 86_400;

type Needs = Pick<Tools, 'secretKey' | 'now' | 'config'>;

/** A share of a view, of a dashboard or of a base. */
export interface Locked {
  shareId: string;
  passwordHash: string | null;
  /** Sites that may show its page inside of theirs. */
  meta?: { frameAncestors?: readonly string[] } | null;
  /** Where the cookie is sent; to what is read of the view by its address when absent. */
  path?: string;
}

const passUntil = ({ secretKey }: Needs, { shareId, passwordHash }: Locked, until: number): string =>
  `${until}.${secretKey.derive('share', shareId, passwordHash as string, String(until))}`;

export const newPass = (tools: Needs, share: Locked): string =>
  passUntil(tools, share, tools.now().getTime() + aWeek * 1_000);

/** A page that other sites may show needs it there too. */
export const passCookie = ({ config }: Needs, { shareId, meta, path }: Locked, pass: string): string => {
  const isSecure = config.publicUrl?.startsWith('https:') === true;
  const isFramed = (meta?.frameAncestors?.length ?? 0) > 0;
  const rest = isSecure ? (isFramed ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax; Secure') : 'SameSite=Lax';
  return `${shareId}=${pass}; Path=${path ?? `/api/share/${shareId}`}; HttpOnly; ${rest}; Max-Age=${aWeek}`;
};

export const hasPass = (tools: Needs, share: Locked, headers: IncomingHttpHeaders): boolean => {
  const given = cookieValue(headers.cookie, share.shareId);
  const until = Number(given?.split('.')[0]);
  if (given === undefined || !Number.isSafeInteger(until) || until <= tools.now().getTime()) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(passUntil(tools, share, until))];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** For work that goes on after the visitor was let in: another one once the password is. */
export const passwordMarkOf = ({ secretKey }: Needs, { shareId, passwordHash }: Locked): string =>
  secretKey.derive('share password', shareId, passwordHash ?? '');
