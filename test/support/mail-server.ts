// A mail server that takes e-mails and keeps them; it can refuse, and hang up without a word.
import { createServer } from 'node:net';
import { once } from 'node:events';

export interface MailServer {
  url: string;
  emails: string[];
  /** How many emails are refused before it takes any. */
  refuse: number;
  /** Addresses that it does not know. */
  unknown: Set<string>;
  /** Hangs up on the next e-mail once it has it, without an answer. */
  hangUp: boolean;
  /** The newest e-mail to an address, once it has come; with `after` only one that came after so many. */
  newestTo(address: string, after?: number): Promise<string>;
  /** All that came to an address. */
  allTo(address: string): string[];
  countTo(address: string): number;
  close(): Promise<void>;
}

const isTo = (message: string, address: string): boolean =>
  /^To: (?:.*<)?([^\s<>]+)>?$/m.exec(message)?.[1]?.toLowerCase() === address.toLowerCase();

/** As it was written: without what the transport made of long lines. */
const readable = (message: string): string =>
  /^Content-Transfer-Encoding: quoted-printable/im.test(message)
    ? message
        .replaceAll('=\n', '')
        .replaceAll(/(=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())
    : message;

export const openMailServer = async (): Promise<MailServer> => {
  const emails: string[] = [];
  const server = createServer((socket) => {
    let rest = '';
    let message: string[] | undefined;
    const answer = (line: string): void => void socket.write(`${line}\r\n`);
    answer('220 ready');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() as string;
      for (const line of lines) {
        if (message !== undefined) {
          if (line !== '.') message.push(line);
          else {
            emails.push(message.join('\n'));
            message = undefined;
            if (mail.hangUp) {
              mail.hangUp = false;
              socket.destroy();
            } else answer('250 taken');
          }
        } else if (/^MAIL/i.test(line) && mail.refuse > 0) {
          mail.refuse -= 1;
          answer('451 later');
        } else if (/^RCPT/i.test(line) && [...mail.unknown].some((address) => line.includes(address))) {
          answer('550 no such person');
        } else if (/^DATA/i.test(line)) {
          message = [];
          answer('354 go on');
        } else answer(/^QUIT/i.test(line) ? '221 bye' : '250 fine');
      }
    });
  });
  // Anyone who forgets to close it still comes to an end.
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`,
    emails,
    refuse: 0,
    unknown: new Set(),
    hangUp: false,
    async newestTo(address, after = 0) {
      while (mail.countTo(address) <= after) await new Promise((resolve) => setTimeout(resolve, 10));
      return readable(emails.findLast((message) => isTo(message, address)) as string);
    },
    allTo: (address) => emails.filter((message) => isTo(message, address)).map(readable),
    countTo: (address) => emails.filter((message) => isTo(message, address)).length,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return mail;
};
