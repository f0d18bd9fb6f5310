// A small service that speaks as much of S3 as the server uses, and takes nothing that is not signed. It works signatures out from
// what arrives, by the published description of AWS Signature Version 4, and shares no code with the server.
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Server {
  url: string;
  objects: Map<string, Buffer>;
  /** Pages of this origin may read and write (CORS). */
  allow(origin: string): void;
  close(): void;
}

const [keyId, secret, bucket, region] = ['AKIDEXAMPLE', 'wJalr/XUtn+FEMI', 'a-bucket', 'eu-test-1'];

const isSigned = ({ method = '', url = '', headers }: IncomingMessage): boolean => {
  const [path = '', search = ''] = url.split('?');
  const pairs = search.split('&').map((pair) => pair.split('=') as [string, string]);
  const value = (name: string): string => decodeURIComponent(pairs.find(([key]) => key === name)?.[1] ?? '');
  const [key, day, place, service, end] = value('X-Amz-Credential').split('/');
  const time = value('X-Amz-Date');
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (
    key !== keyId ||
    place !== region ||
    service !== 's3' ||
    end !== 'aws4_request' ||
    day !== time.slice(0, 8) ||
    Date.now() > at + Number(value('X-Amz-Expires')) * 1_000
  )
    return false;
  const names = value('X-Amz-SignedHeaders').split(';');
  // As AWS has it: what is sent to it by such headers has to be signed.
  if (
    !names.includes('host') ||
    Object.keys(headers).some((name) => name.startsWith('x-amz-') && !names.includes(name))
  )
    return false;
  const canonical = [
    method,
    path,
    pairs
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map((pair) => pair.join('='))
      .sort()
      .join('&'),
    names
      .map(
        (name) =>
          `${name}:${String(headers[name] ?? '')
            .trim()
            .replace(/ +/g, ' ')}\n`,
      )
      .join(''),
    names.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    time,
    `${day}/${place}/s3/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  let signing: Buffer | string = `AWS4${secret}`;
  for (const part of [day, place, 's3', 'aws4_request']) signing = createHmac('sha256', signing).update(part).digest();
  return createHmac('sha256', signing).update(text).digest('hex') === value('X-Amz-Signature');
};

export const startS3Server = async (): Promise<S3Server> => {
  const objects = new Map<string, Buffer>();
  let allowed: string | undefined;
  const server = createServer(async (request, response) => {
    if (allowed !== undefined && request.headers.origin === allowed)
      response.setHeader('access-control-allow-origin', allowed);
    if (request.method === 'OPTIONS')
      return void response
        .writeHead(allowed !== undefined && request.headers.origin === allowed ? 204 : 403, {
          'access-control-allow-methods': 'GET, PUT',
          'access-control-allow-headers': 'content-type',
        })
        .end();
    const key = decodeURIComponent((request.url ?? '').split('?')[0]?.replace(`/${bucket}/`, '') ?? '');
    if (!isSigned(request)) return void response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>');
    if (request.method === 'PUT') {
      // As AWS does.
      if (request.headers['content-length'] === undefined)
        return void response.writeHead(411).end('<Code>MissingContentLength</Code>');
      const pieces: Buffer[] = [];
      try {
        for await (const piece of request) pieces.push(piece as Buffer);
      } catch {
        return;
      }
      const source = request.headers['x-amz-copy-source'];
      const copied =
        source === undefined ? undefined : objects.get(decodeURIComponent(String(source)).replace(`/${bucket}/`, ''));
      if (source !== undefined && copied === undefined)
        return void response.writeHead(404).end('<Code>NoSuchKey</Code>');
      objects.set(key, copied ?? Buffer.concat(pieces));
      return void response.writeHead(200).end();
    }
    const found = objects.get(key);
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (found === undefined) return void response.writeHead(404).end('<Code>NoSuchKey</Code>');
    if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': found.length }).end();
    const asked = new URL(request.url ?? '', 'http://x').searchParams;
    for (const name of ['content-type', 'content-disposition'])
      if (asked.has(`response-${name}`)) response.setHeader(name, asked.get(`response-${name}`) as string);
    if (request.headers.range === undefined) return void response.writeHead(200).end(found);
    const [, first = '0', last = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    response.writeHead(206).end(found.subarray(Number(first), last === '' ? undefined : Number(last) + 1));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${keyId}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${bucket}?region=${region}`,
    objects,
    allow: (origin) => void (allowed = origin),
    close: () => server.close(),
  };
};
