import type { Config } from '../../config.ts';
import type { Queryable } from '../../db/db.ts';
import { addJob } from '../../work/job.sql.ts';
import type { Notice } from './code-mail.ts';

export const noticeKind = 'send-account-notice';

export interface NoticePayload {
  to: string;
  notice: Notice;
  /** Of a sign-in. */
  device?: string;
  ip?: string | null;
}

/** In the transaction of what it tells; nothing where no e-mails are sent. */
export const tellAccount = async (
  tx: Queryable,
  config: Pick<Config, 'smtpUrl'>,
  payload: NoticePayload,
): Promise<void> => {
  if (config.smtpUrl !== null) await addJob(tx, { kind: noticeKind, payload });
};
