// Notifications by e-mail, when there is an SMTP server to hand them to.
import type { Services } from '../../context.ts';
import type { RunningJob } from '../../work/job.ts';
import { deliver } from '../mail/deliver.ts';
import { type Email, selectEmail } from './email.sql.ts';
import { messageOf } from './notification-vo.ts';

interface EmailJob {
  notificationId: string;
}

const textOf = (message: string, { path }: Email, publicUrl: string): string =>
  `${message}\n\n${publicUrl}${path}\n\nYou can turn these e-mails off in your account: ${publicUrl}/account\n`;

export const sendEmail = async ({ db, config, publicUrl }: Services, job: RunningJob<EmailJob>): Promise<void> => {
  const email = config.smtpUrl === null ? undefined : await selectEmail(db, job.payload.notificationId);
  if (email === undefined) return;
  const message = messageOf(email, null);
  const outgoing = {
    to: { name: email.name, address: email.address },
    subject: message.replace(/\s+/g, ' ').slice(0, 150),
    text: textOf(message, email, publicUrl()),
    messageId: `<${email.notificationId}@${new URL(publicUrl()).hostname}>`,
  };
  await deliver(config, outgoing, job);
};
