// Sends one request to a receiver. No redirect is followed, and only allowed addresses are connected to.
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { Config } from '../../config.ts';
import { answerOf } from '../file/answer-of.ts';
import { type AddressRule, guardedLookup, literalAddress } from '../file/guarded-lookup.ts';
import { isPublicAddress } from '../file/public-address.ts';
import type { Outcome } from './delivery.sql.ts';

/** Seconds in which an answer has to come. */
export const patience = 20;
/** Of an answer, in bytes. */
const longestShown = 4_096;

export const allowedAddresses = ({ webhookNetworks }: Pick<Config, 'webhookNetworks'>): AddressRule => {
  const networks = new BlockList();
  for (const network of webhookNetworks) {
    const [address, bits] = network.split('/') as [string, string];
    networks.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => isPublicAddress(address) || networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
};

export interface Sent extends Outcome {
  /** The header `Retry-After`, in seconds. */
  retryAfter: number | null;
}

const secondsOf = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1_000);
};

const plain = (text: string): string => text.replaceAll('\0', '').toWellFormed();

export const send = (
  address: string,
  body: string,
  headers: Record<string, string>,
  isAllowed: AddressRule,
  signal: AbortSignal,
  { method = 'POST', longestAnswer = longestShown }: { method?: string; longestAnswer?: number } = {},
): Promise<Sent> => {
  const began = performance.now();
  const url = new URL(address);
  return new Promise((done) => {
    const end = (found: Partial<Sent>): void =>
      done({
        milliseconds: Math.round(performance.now() - began),
        status: null,
        error: null,
        answer: null,
        retryAfter: null,
        ...found,
      });
    const host = literalAddress(url);
    if (host !== undefined && !isAllowed(host)) return end({ error: `${host} is not a public address` });
    const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
      method,
      lookup: guardedLookup(isAllowed, (name) => new Error(`${name} is not a public address`)),
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience * 1_000)]),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Rowhouse-Webhooks',
        ...headers,
      },
      agent: false,
    });
    const read = (answer: IncomingMessage): void => {
      const { statusCode = 0 } = answer;
      const parts: Buffer[] = [];
      let size = 0;
      const told = (): void =>
        end({
          status: statusCode,
          answer: plain(Buffer.concat(parts).subarray(0, longestAnswer).toString()) || null,
          retryAfter: secondsOf(answer.headers['retry-after'], Date.now()),
        });
      answer.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size >= longestAnswer) {
          told();
          answer.destroy();
        }
      });
      answer
        .once('end', told)
        .once('error', (error) => end({ error: plain(error.message) }))
        .once('close', () => end({ error: 'the connection ended within the answer' }));
    };
    answerOf(request).then(read, (error: Error) =>
      end({ error: error.name === 'TimeoutError' ? `no answer within ${patience} seconds` : plain(error.message) }),
    );
    request.end(body);
    return undefined;
  });
};
