// Sends an answer: a text, parts of one, a stream, or an outlet that stays open.
import { Readable } from 'node:stream';
import type { Declaration, StreamSchema } from '@rowhouse/contract/endpoint.ts';
import type { FastifyReply } from 'fastify';
import { eyesOf, type Principal } from '../catalog/principal.ts';
import type { Services } from '../context.ts';
import { fileMark } from '../domain/file/files.ts';
import { showFiles } from '../domain/file/show-files.ts';
import { Answer, type AnswerText, type StreamAnswer, wholeText } from '../endpoint/route.ts';
import { openOutlet } from './outlet.ts';

/** The first part is made before anything is sent: until then an error is an answer like any other. */
export const sendStream = async (
  reply: FastifyReply,
  endpoint: Declaration,
  { parts, headers, status }: StreamAnswer,
): Promise<void> => {
  const first = await parts.next();
  async function* all(): AsyncGenerator<Buffer> {
    try {
      if (first.done !== true) yield first.value;
      yield* parts;
    } finally {
      await parts.return(undefined);
    }
  }
  reply.code(status ?? endpoint.status).headers(headers);
  if (!reply.hasHeader('content-type')) reply.type((endpoint.response as StreamSchema).contentMediaType);
  // A client that has left while the first part was made never makes it flow.
  if (reply.raw.destroyed) await parts.return(undefined);
  void reply.send(Readable.from(all(), { objectMode: false, highWaterMark: 1 }));
};

/** Who gets the answer. */
interface Receiver {
  principal: Principal;
  /** That the answer is about; null for none. */
  baseId: string | null;
  /** Absent: addresses of files are those of everybody. */
  addressed?: ((path: string) => string) | undefined;
}

export interface Answered {
  result: unknown;
  /** Null: nobody who is known. */
  receiver: Receiver | null;
}

async function* shownParts(
  parts: Iterable<Buffer>,
  { db, files }: Services,
  { baseId, addressed }: Pick<Receiver, 'baseId' | 'addressed'>,
): AsyncGenerator<Buffer> {
  for (const part of parts)
    yield part.includes(fileMark) ? Buffer.from(await showFiles(db, files, baseId, part.toString(), addressed)) : part;
}

export const send = async (
  reply: FastifyReply,
  endpoint: Declaration,
  result: unknown,
  receiver: Receiver | null,
  services: Services,
): Promise<void> => {
  const { db, files } = services;
  const { baseId, addressed } = receiver ?? { baseId: null };
  const answer = result instanceof Answer ? result : new Answer({ body: result });
  reply.code(answer.status ?? endpoint.status).headers(answer.headers);
  if (answer.open !== undefined) {
    answer.open(openOutlet(reply, services));
    return;
  }
  const text: AnswerText | undefined =
    answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body));
  if (text === undefined) {
    void reply.send();
    return;
  }
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8');
  const isWhole = typeof text === 'string' || Buffer.isBuffer(text);
  // Anyone who may not read cells gets no address of a file in them, even if they know its token.
  const mayShowFiles = answer.mayShowFiles && (receiver === null || eyesOf(receiver.principal).seesCells);
  if (!mayShowFiles) void reply.send(isWhole ? text : Readable.from(text));
  else
    void reply.send(
      isWhole
        ? await showFiles(db, files, baseId, wholeText(text), addressed)
        : Readable.from(shownParts(text, services, { baseId, addressed })),
    );
};
