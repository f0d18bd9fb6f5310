// Addresses of a service that speaks S3, signed in their query (AWS Signature Version 4): anyone who has one may do that one
// thing with that one object, for some minutes. Nothing else of the service is needed, so there is no library.
import { createHash, createHmac } from 'node:crypto';

interface S3Place {
  /** `https://host`, without a path. */
  origin: string;
  bucket: string;
  region: string;
  keyId: string;
  secret: string;
}

/** `https://key:secret@host/bucket?region=eu-central-1` */
export const readS3Url = (text: string): S3Place => {
  const url = new URL(text);
  return {
    origin: url.origin,
    bucket: decodeURIComponent(url.pathname.replace(/^\/|\/$/g, '')),
    region: url.searchParams.get('region') ?? 'us-east-1',
    keyId: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
  };
};

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
/** As RFC 3986 has it, which is more than `encodeURIComponent` encodes. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

interface Signed {
  query?: Record<string, string>;
  /** By names in lower case. */
  headers?: Record<string, string>;
}

export const signedUrl = (
  { origin, bucket, region, keyId, secret }: S3Place,
  method: 'GET' | 'PUT' | 'HEAD' | 'DELETE',
  key: string,
  now: Date,
  seconds: number,
  { query: more = {}, headers = {} }: Signed = {},
): string => {
  // Anyone who uses the address has to send these, with these values.
  const signedHeaders = Object.entries({ ...headers, host: new URL(origin).host }).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const names = signedHeaders.map(([name]) => name).join(';');
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const path = `/${encoded(bucket)}/${encoded(key)}`;
  const query = Object.entries({
    ...more,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${keyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': names,
  })
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const request = [
    method,
    path,
    query,
    ...signedHeaders.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join('\n');
  const signingKey = ['aws4_request'].reduce(
    (made, part) => hmac(made, part),
    hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'),
  );
  return `${origin}${path}?${query}&X-Amz-Signature=${hmac(signingKey, toSign).toString('hex')}`;
};
