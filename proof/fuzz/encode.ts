// Requests as bytes: well formed by default, absurd on demand.
import type { Random } from '../random.ts';
import { anyText, anyValue, jsonText } from './values.ts';

export interface Draft {
  method: string;
  /** With its `:name` places filled, below the origin. */
  path: string;
  query: string;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
}

/** As it is, byte for byte: also what is no Unicode. */
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

export const bytesOf = ({ method, path, query, headers, body }: Draft): Buffer => {
  const has = (name: string): boolean => headers.some(([key]) => key.toLowerCase() === name);
  const lines = [
    `${method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1`,
    ...(has('host') ? [] : ['host: 127.0.0.1']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || has('content-length') || has('transfer-encoding')
      ? []
      : [`content-length: ${body.length}`]),
  ];
  return Buffer.concat([latin(`${lines.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)]);
};

const part = (value: unknown): string => {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? jsonText(value) : String(value);
  // Halves of surrogate pairs have no UTF-8: what is sent in their place is what a broken client would send.
  return encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80');
};

const longestQuery = 60_000;

function* pairsOf(query: Record<string, unknown>): Generator<string> {
  for (const [key, value] of Object.entries(query)) {
    const name = part(key);
    if (Array.isArray(value)) for (const item of value) yield `${name}[]=${part(item)}`;
    else if (value !== undefined) yield `${name}=${part(value)}`;
  }
}

/** Cut where it is long enough: a long name of many values would take all memory. */
export const queryOf = (query: Record<string, unknown>): string => {
  let text = '';
  for (const pair of pairsOf(query)) {
    text += text === '' ? pair : `&${pair}`;
    if (text.length >= longestQuery) break;
  }
  return text.slice(0, longestQuery);
};

export const pathOf = (path: string, params: Record<string, unknown>): string =>
  `/api${path.replace(/:([A-Za-z]+)/g, (_all, name: string) => part(params[name] ?? '').slice(0, 2_000))}`;

const strangeTypes = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json;;;',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/merge-patch+json',
  'application',
  '/',
  ';',
  '',
  'application/json; charset="',
  'text/event-stream',
  'application/octet-stream',
  'a'.repeat(5_000),
];

const strangeHeaders = (random: Random): [string, string][] => {
  const value = random.pick([
    '',
    ' ',
    'x'.repeat(8_000),
    '\x80\xff',
    'ä',
    '"',
    ',,,',
    '-1',
    '0',
    '999999999999999999999',
    'null',
    '*',
    'W/"1"',
    '"1"',
    'bytes=0-',
    'true',
    'Bearer',
    'a=b; c',
    '%00',
    '../..',
  ]);
  const name = random.pick([
    'authorization',
    'cookie',
    'if-match',
    'idempotency-key',
    'last-event-id',
    'x-request-id',
    'origin',
    'referer',
    'accept',
    'accept-encoding',
    'accept-language',
    'range',
    'if-none-match',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'x-http-method-override',
    'sec-fetch-site',
    'content-encoding',
    'content-language',
    'upgrade',
    'te',
    'trailer',
    'date',
    'via',
    'x'.repeat(200),
    '__proto__',
    'constructor',
    'content-type',
    'host',
  ]);
  return random.once(20) ? Array.from({ length: 300 }, (_, at): [string, string] => [`x-${at}`, 'y']) : [[name, value]];
};

export const withStrangeHeaders = (draft: Draft, random: Random): Draft => {
  if (random.once(3))
    return {
      ...draft,
      headers: [
        ...draft.headers.filter(([name]) => name !== 'content-type'),
        ['content-type', random.pick(strangeTypes)],
      ],
      body: draft.body ?? Buffer.from('{}'),
    };
  const strange = strangeHeaders(random);
  const replaces = random.once(2);
  return {
    ...draft,
    headers: [...draft.headers.filter(([name]) => !replaces || !strange.some(([other]) => other === name)), ...strange],
  };
};

const brokenBodies = (good: Buffer, random: Random): Buffer => {
  const middle = random.below(good.length + 1);
  const insert = (bytes: Buffer): Buffer => Buffer.concat([good.subarray(0, middle), bytes, good.subarray(middle)]);
  switch (random.below(9)) {
    case 0:
      return good.subarray(0, middle);
    case 1:
      return insert(Buffer.from([random.below(256)]));
    case 2:
      return insert(
        random.pick([
          Buffer.from([0xff, 0xfe]),
          Buffer.from([0xc0, 0xaf]),
          Buffer.from([0xed, 0xa0, 0x80]),
          Buffer.from([0xf5, 0x80, 0x80, 0x80]),
          Buffer.from([0xe2, 0x82]),
          Buffer.from([0]),
        ]),
      );
    case 3:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good]);
    case 4:
      return Buffer.from(good.toString('utf8'), 'utf16le');
    case 5:
      return Buffer.concat([good, good]);
    case 6:
      return Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)));
    case 7:
      return Buffer.from(
        random.pick([
          '',
          'null',
          'undefined',
          '{',
          '[',
          '"',
          '{"a":}',
          "{'a':1}",
          '{a:1}',
          '[1,]',
          '//',
          'NaN',
          '1e999',
          '"\\ud800"',
          'true',
          '0',
          '\u00a0{}',
          '{}\0',
          '{"a":"\n"}',
        ]),
      );
    default:
      return good.map((byte) => (random.once(30) ? random.below(256) : byte)) as Buffer;
  }
};

export const withBrokenBody = (draft: Draft, random: Random): Draft => ({
  ...draft,
  headers: [...draft.headers.filter(([name]) => name !== 'content-type'), ['content-type', 'application/json']],
  body: Buffer.from(brokenBodies(draft.body ?? Buffer.from('{}'), random)),
});

const strangePieces = [
  '.',
  '..',
  '%2e%2e%2f',
  '%00',
  '%ff',
  '%',
  '%zz',
  '%c0%af',
  '\\',
  ';',
  ';a=b',
  '*',
  '+',
  '~',
  '%20',
  '\x80',
  '\xff',
  '"',
  '<',
  '{',
  '|',
  '^',
  '`',
  'a'.repeat(299),
  'a'.repeat(301),
  'a'.repeat(5_000),
  '__proto__',
  'constructor',
  '%E2%80%AE',
  '%F0%9F%91%8D',
];

export const withStrangePath = (draft: Draft, random: Random): Draft => {
  const pieces = draft.path.split('/');
  const place = 1 + random.below(pieces.length - 1);
  const strange = random.pick(strangePieces);
  switch (random.below(7)) {
    case 0:
      return { ...draft, path: pieces.with(place, strange).join('/') };
    case 1:
      return { ...draft, path: pieces.with(place, `${pieces[place]}${strange}`).join('/') };
    case 2:
      return { ...draft, path: `${draft.path}/${strange}` };
    case 3:
      return {
        ...draft,
        path: random.pick([
          `${draft.path}/`,
          `/${draft.path}`,
          draft.path.replaceAll('/', '//'),
          draft.path.toUpperCase(),
          `http://example.com${draft.path}`,
          draft.path.slice(0, -1),
          '*',
          '//',
        ]),
      };
    case 4:
      return {
        ...draft,
        query: `${draft.query}&${random.pick(['%', '%zz=%ff', '=', '&&&', '[]=1', 'a[b][c]=1', '__proto__[x]=1', 'constructor[prototype][x]=1', 'a[]=1&a=2&a[5]=3', '%00=%00', `${'a=1&'.repeat(3_000)}`, 'x'.repeat(30_000), '?', '#', 'a;b', '\xff=\xfe', 'take=1&take=2', 'filter=%7B', 'orderBy=%5B', 'search=', 'cursor=AAAA', 'skip=99999999999999999999', 'viewId=', 'projection='])}`,
      };
    case 5:
      return {
        ...draft,
        query: queryOf(
          Object.fromEntries(Array.from({ length: 1 + random.below(5) }, () => [anyText(random), anyValue(random)])),
        ),
      };
    default:
      return {
        ...draft,
        method: random.pick([
          'HEAD',
          'OPTIONS',
          'TRACE',
          'PROPFIND',
          'GET',
          'POST',
          'PUT',
          'PATCH',
          'DELETE',
          'SEARCH',
          'LOCK',
        ]),
      };
  }
};

/** What is hardly HTTP any more. */
export const nonsense = (draft: Draft, random: Random): Buffer => {
  const good = bytesOf(draft);
  const body = draft.body ?? Buffer.from('{}');
  const withHeader = (...headers: [string, string][]): Buffer =>
    bytesOf({ ...draft, body, headers: [...draft.headers, ...headers] });
  switch (random.below(12)) {
    case 0:
      return withHeader(['content-length', random.pick(['-1', 'x', '1e3', '0x10', ' ', '99999999999999999999'])]);
    case 1:
      return withHeader(['transfer-encoding', 'chunked']);
    case 2:
      return withHeader(['transfer-encoding', 'chunked'], ['content-length', String(body.length)]);
    case 3:
      return withHeader(['x-big', 'x'.repeat(70_000)]);
    case 4:
      return Buffer.concat([
        latin(
          random.pick([
            'get ',
            'FOO ',
            '\x00',
            '\r\n\r\n\r\n',
            'GET  ',
            '\x16\x03\x01\x02\x00',
            'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
          ]),
        ),
        good,
      ]);
    case 5:
      return latin(
        good
          .toString('latin1')
          .replace('HTTP/1.1', random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP', 'http/1.1', ''])),
      );
    case 6:
      return latin(good.toString('latin1').replaceAll('\r\n', '\n'));
    case 7:
      return withHeader(['expect', random.pick(['100-continue', 'nonsense'])]);
    case 8:
      return withHeader(['upgrade', 'websocket'], ['connection', 'upgrade']);
    case 9:
      return withHeader(['bad header', 'x'], ['x', 'a\x01b']);
    case 10:
      return withHeader(['host', 'a'], ['host', 'b']);
    default:
      return Buffer.concat([
        withHeader(['transfer-encoding', 'chunked']).subarray(0, -body.length),
        latin(
          random.pick([
            'zz\r\n',
            '5\r\nab',
            '-1\r\n',
            'ffffffffffffffff\r\nx\r\n',
            '0\r\n\r\n',
            '2\r\n{}\r\n0\r\nx-trailer: 1\r\n\r\n',
          ]),
        ),
      ]);
  }
};
