// Addresses of clients: what counts as one, and which are this machine.
import { isIPv4, isIPv6 } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv4 address also when it arrives in the form of the other kind. */
const plain = (address: string): string => mapped.exec(address)?.[1] ?? address;

/** The first four groups of an IPv6 address, which is what a household or a rented server has to itself. */
const network = (address: string): string => {
  const [before = '', after] = (address.split('%')[0] as string).toLowerCase().split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const head = groups(before);
  const tail = groups(after ?? '');
  const whole =
    after === undefined
      ? head
      : [...head, ...Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0'), ...tail];
  return whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
};

/** What is counted as one client. */
export const clientOf = (address: string): string => {
  const known = plain(address);
  return isIPv6(known) ? network(known) : known;
};

export const isLoopback = (address: string): boolean => {
  const known = plain(address);
  return isIPv4(known) ? known.startsWith('127.') : known === '::1';
};
