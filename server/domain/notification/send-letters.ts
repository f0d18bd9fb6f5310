// Notifications by e-mail, when there is an SMTP server to hand them to.
import { createTransport } from 'nodemailer';
import type { Services } from '../../context.ts';
import { type Letter, markSent, markUnsent, takeLetters } from './mail.sql.ts';

const batchSize = 20;
const maxTries = 5;

export interface Post {
  /** Sends what waits; answers how many letters were taken. */
  sendLetters(): Promise<number>;
  close(): void;
}

/** Null when no SMTP server is set. */
export const openPost = ({ db, config, publicUrl, faults }: Services): Post | null => {
  if (config.smtpUrl === null) return null;
  const transport = createTransport(config.smtpUrl);

  const send = (letter: Letter): Promise<unknown> =>
    transport.sendMail({
      from: config.smtpFrom,
      to: { name: letter.name, address: letter.email },
      subject: letter.message.replace(/\s+/g, ' ').slice(0, 150),
      text: `${letter.message}\n\n${publicUrl()}${letter.path}\n\nYou can turn these letters off in your account: ${publicUrl()}/account\n`,
      messageId: `<${letter.id}@${new URL(publicUrl()).hostname}>`,
    });

  const fail = (error: unknown): void => faults.note('sending letters', error);

  /** One that is out and cannot be marked stays as it is, and is not sent again. */
  const sendAndMark = async (letter: Letter): Promise<void> => {
    const isSent = await send(letter).then(
      () => true,
      (error: unknown) => {
        fail(error);
        return false;
      },
    );
    if (isSent) await markSent(db, letter.id);
    else await markUnsent(db, letter.id, letter.tries >= maxTries ? null : 30 * 4 ** (letter.tries - 1));
  };

  return {
    async sendLetters() {
      const letters = await takeLetters(db, batchSize);
      for (const letter of letters) await sendAndMark(letter).catch(fail);
      return letters.length;
    },
    close: () => transport.close(),
  };
};
