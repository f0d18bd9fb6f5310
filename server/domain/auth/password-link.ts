// A link with which somebody sets a new password: made by an administrator, shown to them, and mailed where e-mails are sent.
import { randomBytes } from 'node:crypto';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { addJob } from '../../work/job.sql.ts';
import { deleteEmailCodesFor, insertEmailCode } from './email-code.sql.ts';
import { linkCodeOf, minutes, type SendCodePayload, sendCodeKind } from './email-code.ts';

export interface PasswordLink {
  link: string;
  expiresTime: string;
  isMailed: boolean;
}

/** Those that were made before end. */
export const makePasswordLink = async (
  services: Pick<Services, 'secretKey' | 'config' | 'publicUrl'>,
  tx: Tx,
  { id: userId, email }: { id: string; email: string },
): Promise<PasswordLink> => {
  const id = randomBytes(32);
  const purpose = 'setPassword';
  await deleteEmailCodesFor(tx, userId, purpose);
  const expiresTime = await insertEmailCode(tx, {
    id,
    purpose,
    email: email.toLowerCase(),
    userId,
    minutes: minutes[purpose],
  });
  const isMailed = services.config.smtpUrl !== null;
  if (isMailed) await addJob(tx, { kind: sendCodeKind, payload: { id: id.toString('hex') } satisfies SendCodePayload });
  return {
    link: `${services.publicUrl()}/reset-password#${linkCodeOf(services, id)}`,
    expiresTime: new Date(expiresTime).toISOString(),
    isMailed,
  };
};
