// An e-mail to see whether the mail server takes it. Nothing in it is anybody's choice but the address.
import type { sendTestMail as endpoint } from '@rowhouse/contract/admin-health.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { demandMail } from '../auth/email-code.ts';
import { sendBySmtp } from '../mail/smtp.ts';
import { limitUses } from '../user/limit-uses.ts';

const patience = 30_000;

/** What servers say may repeat the name or the password that they were told. */
const withoutSecrets = (message: string, url: string): string => {
  const { username, password } = new URL(url);
  return [username, password, decodeURIComponent(username), decodeURIComponent(password)]
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '…'), message)
    .slice(0, 500);
};

export const sendTestMail = async (
  context: Context,
  to = context.principal.email,
): Promise<ResponseOf<typeof endpoint>> => {
  const { db, config, principal, publicUrl, newId } = context;
  demandMail(context);
  const smtpUrl = config.smtpUrl as string;
  await limitUses(db, {
    key: ['test mail', principal.userId],
    limit: 20,
    minutes: 60,
    message: 'Too many test e-mails were sent',
  });
  await writeAudit(db, doerOf(context), 'mail.tested', {}, { emails: [to] });
  const site = publicUrl();
  const email = {
    from: config.smtpFrom,
    to: { name: '', address: to },
    subject: 'A test e-mail',
    text: `This e-mail was sent to see whether e-mails of ${site} arrive. They do.\n`,
    messageId: `<${newId('job')}@${new URL(site).hostname}>`,
  };
  try {
    await sendBySmtp(smtpUrl, email, AbortSignal.timeout(patience), async () => undefined);
    return { isAccepted: true, to, error: null };
  } catch (error) {
    return { isAccepted: false, to, error: withoutSecrets((error as Error).message, smtpUrl) };
  }
};
