// Bodies that are sent compressed. From here on they are bodies that come in pieces, and every limit counts what they
// decode to; a body that decodes to too much is cut off while it does.
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Decoder = Transform & { readonly bytesWritten: number };

const decoders = new Map<string, () => Decoder>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const unknown = (encoding: string): ApiError =>
  new ApiError(
    'unsupported_media_type',
    `The Content-Encoding ${JSON.stringify(encoding.slice(0, 50))} is not known here; send the body as gzip, deflate or br, or as it is`,
    undefined,
    {
      'accept-encoding': 'gzip, deflate, br',
    },
  );

const wrong = (encoding: string): ApiError =>
  new ApiError('validation_error', `Validation error: the body is not ${encoding}, as its Content-Encoding says`);

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', 'The request body is larger than this server accepts');

/** What a body decodes to. Neither it nor the body itself may be larger than `largest`. */
export const decodeBody = (
  body: Readable,
  encoding: string,
  decoder: Decoder,
  largest: number,
): Transform & { stop(): void } => {
  let received = 0;
  let made = 0;
  const stop = (): void => {
    body.unpipe(decoder);
    decoder.destroy();
    // The rest is thrown away as it comes, undecoded.
    body.resume();
  };
  const fail = (error: ApiError): void => {
    stop();
    decoded.destroy(error);
  };
  const decoded = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, passOn) {
        made += chunk.length;
        if (made > largest) fail(tooLarge());
        else passOn(null, chunk);
      },
      // A decoder is content with whatever follows the end.
      flush(end) {
        end(decoder.bytesWritten === received ? null : wrong(encoding));
      },
    }),
    { stop },
  );
  body.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > largest) fail(tooLarge());
  });
  body.once('error', (error) => decoded.destroy(error));
  decoder.once('error', () => fail(wrong(encoding)));
  // Of a body that nobody reads the fault is nobody's, and must not end the process.
  decoded.on('error', () => undefined);
  body.pipe(decoder).pipe(decoded);
  return decoded;
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const addContentEncoding = (app: FastifyInstance, largest: number): void => {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { headers } = request.raw;
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (encoding === '' || encoding === 'identity' || !hasBody(request)) {
      done(null, payload);
      return;
    }
    const create = decoders.get(encoding);
    if (create === undefined) {
      done(unknown(encoding));
      return;
    }
    delete headers['content-encoding'];
    delete headers['content-length'];
    headers['transfer-encoding'] = 'chunked';
    const decoded = decodeBody(
      payload as Readable,
      encoding,
      create(),
      request.routeOptions.config.streamLimit ?? largest,
    );
    // Whatever it was answered for, nobody waits for the rest.
    reply.raw.once('finish', decoded.stop);
    reply.raw.once('close', decoded.stop);
    done(null, decoded);
  });
};
