// A name server for tests that knows TXT records alone, and can be silent.
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

interface NameServer {
  /** As in ROWHOUSE_DNS_SERVERS. */
  address: string;
  records: Map<string, string[]>;
  /** It says that it failed. */
  isBroken: boolean;
  close(): Promise<void>;
}

const nameAt = (message: Buffer, start: number): { name: string; end: number } => {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] as number; length !== 0; length = message[at] as number) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
};

const answerOf = (text: string): Buffer => {
  const parts = [...Buffer.from(text).toString('latin1')].join('').match(/.{1,255}/gs) ?? [''];
  const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 1, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
};

export const startNameServer = async (): Promise<NameServer> => {
  const socket = createSocket('udp4');
  const self: NameServer = {
    address: '',
    records: new Map(),
    isBroken: false,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (message, from) => {
    const { name, end } = nameAt(message, 12);
    const found = self.records.get(name);
    const answers = self.isBroken ? [] : (found ?? []).map(answerOf);
    const status = self.isBroken ? 2 : found === undefined ? 3 : 0;
    const head = Buffer.alloc(12);
    message.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 + status, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, message.subarray(12, end + 4), ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  self.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`;
  return self;
};
