// What of one tenant must never show up in an answer to another: its mark and secrets, and ids that were not asked for.
import type { Answer } from '../../test/support/access-request.ts';
import type { Estate } from '../estate.ts';

// Ids of deliveries are those of the Standard Webhooks specification: `msg_…`.
const isId = (value: string): boolean => /^([a-z]{3}[0-9A-Za-z]{16,24}|msg_[\w-]{16,32})$/.test(value);

/** In words what leaked, or undefined. `asked` is the request as text: what somebody sends may come back. */
export const leakIn = (text: string, asked: string, { secrets, things }: Estate): string | undefined => {
  const secret = secrets.find((value) => text.includes(value));
  if (secret !== undefined) return `"${secret}"`;
  const { personId: _known, ...own } = things;
  const id = Object.entries(own).find(([, value]) => isId(value) && text.includes(value) && !asked.includes(value));
  return id === undefined ? undefined : `${id[0]} ${id[1]}`;
};

export const everythingOf = ({ text, headers }: Answer): string =>
  `${text}\n${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`;

/** An answer without what differs from one request to the next whatever is asked. */
export const essence = ({ status, text, headers }: Answer): string => {
  const names = [...headers.keys()].filter(
    (name) =>
      !['date', 'content-length', 'connection', 'keep-alive', 'x-request-id', 'transfer-encoding'].includes(name),
  );
  const told = names
    .map((name) => (/^(x-)?ratelimit/.test(name) ? name : `${name}: ${headers.get(name)}`))
    .sort()
    .join('\n');
  return `${status}\n${told}\n${text}`
    .replace(/"requestId":"[^"]*"/, '"requestId":""')
    .replaceAll(/\b([a-z]{3}[0-9A-Za-z]{16,24}|msg_[\w-]{16,32})(?![\w-])/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replaceAll(/"(milliseconds)":\d+/g, '"$1":<time>')
    .replaceAll(
      /"(name|dbFieldName|dbTableName|order|autoNumber|\w*Code|\w*Url|token|secret|publicKey)":("[^"]*"|[\d.e-]+)/g,
      '"$1":<given>',
    );
};
