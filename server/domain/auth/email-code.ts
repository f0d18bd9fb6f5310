// Codes and links that prove an address. What is mailed is derived from the id of its row with the key of the instance, so
// that the database holds no code, and the job that mails it finds it out by itself: the request does the same work whether
// or not the address has an account. See docs/adr/0028-addresses.md.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import type { Services } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { addJob } from '../../work/job.sql.ts';
import { networkOf } from '../user/limit-attempts.ts';
import { limitUses } from '../user/limit-uses.ts';
import { insertEmailCode, type Purpose, tryEmailCode, tryNewestCode } from './email-code.sql.ts';

export const sendCodeKind = 'send-code';

export interface SendCodePayload {
  /** The id of the row, in hexadecimal. */
  id: string;
}

export const minutes: Record<Purpose, number> = {
  signUp: 30,
  signIn: 30,
  verify: 30,
  changeEmail: 30,
  resetPassword: 60,
  setPassword: 1_440,
};
const maxTries = 5;

type Tools = Pick<Services, 'secretKey' | 'config'>;

export const demandMail = ({ config }: Tools): void => {
  if (config.smtpUrl === null)
    throw new ApiError(
      'unprocessable_entity',
      'This server sends no e-mails; ask your administrator to reset the password, or to verify or change the address, with the command line (rowhouse user)',
    );
};

/** Eight digits to type. */
export const digitsOf = ({ secretKey }: Pick<Services, 'secretKey'>, id: Buffer): string =>
  String(BigInt(`0x${secretKey.derive('e-mail code', id.toString('hex')).slice(0, 24)}`) % 100_000_000n).padStart(
    8,
    '0',
  );

/** What stands in a link: it names its row itself. */
export const linkCodeOf = ({ secretKey }: Pick<Services, 'secretKey'>, id: Buffer): string =>
  `${id.toString('hex')}.${secretKey.derive('e-mail link', id.toString('hex'))}`;

export interface SentCode {
  token: string;
  expiresTime: string;
}

export const askForCode = async (
  services: Tools,
  db: Queryable,
  asked: { purpose: Purpose; email: string; userId: string | null; ip: string },
): Promise<SentCode> => {
  demandMail(services);
  const { purpose, userId, ip } = asked;
  // Some letters become ASCII ones in lower case: what is mailed goes to the address that the account will have.
  const email = asked.email.toLowerCase();
  await limitUses(db, {
    key: ['mail from', networkOf(ip)],
    limit: 50,
    minutes: 60,
    message: 'Too many e-mails were asked for from here',
  });
  await limitUses(db, {
    key: ['mail to', email],
    limit: 5,
    minutes: 60,
    message: 'Several e-mails are on their way to this address: use the newest of them',
  });
  const token = randomBytes(32).toString('base64url');
  const id = hashSecret(token);
  const expiresTime = await insertEmailCode(db, { id, purpose, email, userId, minutes: minutes[purpose] });
  await addJob(db, { kind: sendCodeKind, payload: { id: id.toString('hex') } satisfies SendCodePayload });
  return { token, expiresTime: new Date(expiresTime).toISOString() };
};

const wrong = (path: string): ApiError =>
  invalid({ path, message: 'This code is wrong, used, or has expired; ask for a new one' });

const isSame = (one: string, other: string): boolean => timingSafeEqual(hashSecret(one), hashSecret(other));

interface Proven {
  id: Buffer;
  email: string;
  userId: string | null;
  purpose: Purpose;
}

/** Counts the try, so not inside of the transaction that uses it; there the row has to be deleted, and that is what makes it single. */
export const checkCode = async (
  services: Tools,
  db: Queryable,
  given: { purpose: Purpose; token: string; code: string; path: string },
): Promise<Proven> => {
  const id = hashSecret(given.token);
  const found = await tryEmailCode(db, { id, purposes: [given.purpose] }, maxTries);
  if (!isSame(given.code.replaceAll(/[\s-]/g, ''), digitsOf(services, id)) || found === undefined)
    throw wrong(given.path);
  return { id, ...found };
};

/** Of the newest code of an address. The same work is done where there is none. */
export const checkNewestCode = async (
  services: Tools,
  db: Queryable,
  given: { purpose: Purpose; email: string; code: string; path: string },
): Promise<Buffer> => {
  const found = await tryNewestCode(db, given, maxTries);
  const id = found?.id ?? randomBytes(32);
  if (!isSame(given.code.replaceAll(/[\s-]/g, ''), digitsOf(services, id)) || found === undefined)
    throw wrong(given.path);
  return id;
};

export const checkLinkCode = async (services: Tools, db: Queryable, code: string): Promise<Proven> => {
  const id = Buffer.from(/^([0-9a-f]{64})\./.exec(code)?.[1] ?? '', 'hex');
  const found = await tryEmailCode(db, { id, purposes: ['resetPassword', 'setPassword'] }, maxTries);
  if (!isSame(code, linkCodeOf(services, id)) || found === undefined) throw wrong('code');
  return { id, ...found };
};

/** The row was used by another request in between. */
export const demandUnused = (wasThere: boolean, path: string): void => {
  if (!wasThere) throw wrong(path);
};
