// Hands one e-mail to an SMTP server, in two parts: up to the point where nothing has been handed over, a failure means
// that it can be tried again; from there on only an answer of the server says whether it has the e-mail.
import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SmtpConnection from 'nodemailer/lib/smtp-connection';

export interface OutgoingEmail {
  from: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  messageId: string;
}

/** The server did not answer to an e-mail that was handed to it: nobody knows whether it will arrive. */
export class UnknownDelivery extends Error {}

const patience = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000, dnsTimeout: 10_000 };

const step = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((succeed, fail) => start((error) => (error === undefined || error === null ? succeed() : fail(error))));

/** Whether the server has said no, and to this e-mail for good. */
export const isRefusedForGood = (error: unknown): boolean => {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500;
};

/** `beforeHandingOver` is called when the server is ready to take it. */
export const sendBySmtp = async (
  url: string,
  email: OutgoingEmail,
  signal: AbortSignal,
  beforeHandingOver: () => Promise<void>,
): Promise<void> => {
  const { auth, ...options } = parseConnectionUrl(url);
  const message = new MailComposer(email).compile();
  const bytes = await message.build();
  const connection = new SmtpConnection({ ...options, ...patience });
  let isHandedOver = false;
  const body = Readable.from(
    (function* () {
      isHandedOver = true;
      yield bytes;
    })(),
  );
  const talk = async (): Promise<void> => {
    await step((done) => connection.connect(done));
    if (auth !== undefined && connection.allowsAuth)
      await step((done) => connection.login({ credentials: { user: auth.user ?? '', pass: auth.pass ?? '' } }, done));
    signal.throwIfAborted();
    await beforeHandingOver();
    await step((done) => connection.send(message.getEnvelope(), body, done));
  };
  try {
    await new Promise<void>((succeed, fail) => {
      connection.once('error', fail);
      signal.addEventListener('abort', () => fail(signal.reason), { once: true });
      talk().then(succeed, fail);
    });
    connection.quit();
  } catch (error) {
    connection.close();
    const hasAnswered = (error as { responseCode?: number }).responseCode !== undefined;
    throw isHandedOver && !hasAnswered
      ? new UnknownDelivery('the mail server took the e-mail and did not say whether it has it', { cause: error })
      : error;
  }
};
