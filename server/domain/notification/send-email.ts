// Notifications by e-mail, when there is an SMTP server to hand them to. One that may have been sent is not sent again.
import type { Services } from '../../context.ts';
import { GiveUp, type RunningJob } from '../../work/job.ts';
import { type Email, selectEmail } from './email.sql.ts';
import { isRefusedForGood, sendBySmtp, UnknownDelivery } from './smtp.ts';

export interface EmailJob {
  notificationId: string;
}

const handedOver = 'handed over';

const textOf = ({ message, path }: Email, publicUrl: string): string =>
  `${message}\n\n${publicUrl}${path}\n\nYou can turn these e-mails off in your account: ${publicUrl}/account\n`;

export const sendEmail = async ({ db, config, publicUrl }: Services, job: RunningJob<EmailJob>): Promise<void> => {
  const email = config.smtpUrl === null ? undefined : await selectEmail(db, job.payload.notificationId);
  if (email === undefined || config.smtpUrl === null) return;
  if (job.cursor === handedOver) throw new GiveUp('The server was interrupted while it handed the e-mail over: it is not sent again');
  const outgoing = {
    from: config.smtpFrom,
    to: { name: email.name, address: email.address },
    subject: email.message.replace(/\s+/g, ' ').slice(0, 150),
    text: textOf(email, publicUrl()),
    messageId: `<${email.notificationId}@${new URL(publicUrl()).hostname}>`,
  };
  try {
    await sendBySmtp(config.smtpUrl, outgoing, job.signal, () => job.mark(handedOver));
  } catch (error) {
    if (error instanceof UnknownDelivery || isRefusedForGood(error)) throw new GiveUp((error as Error).message, { cause: error });
    if (job.cursor === handedOver) await job.mark(null);
    throw error;
  }
};
