// The outlet of an answer that lasts, straight on the socket: Fastify would put a stream in between. Cells in it stand under the
// ids of their fields, so that every path of a file is one: nothing has to be looked up.
import type { FastifyReply } from 'fastify';
import { fileMark } from '../domain/file/files.ts';
import type { Files } from '../stored-files.ts';
import type { Outlet } from '../live.ts';

export const openOutlet = (reply: FastifyReply, files: Pick<Files, 'show'>): Outlet => {
  const { raw } = reply;
  const headers = reply.getHeaders();
  reply.hijack();
  // Nothing follows a stream on its connection; kept alive it would hold up a server that is stopping.
  raw.shouldKeepAlive = false;
  raw.writeHead(reply.statusCode, headers as Record<string, string | string[]>);
  raw.flushHeaders();
  // A socket that breaks tells so by 'close' as well.
  raw.on('error', () => undefined);
  return {
    write: (chunk) =>
      void raw.write(
        typeof chunk === 'string'
          ? files.show(chunk)
          : chunk.includes(fileMark)
            ? Buffer.from(files.show(chunk.toString()))
            : chunk,
      ),
    backlog: () => raw.writableLength,
    end: () => void raw.end(),
    cut: () => void raw.destroy(),
    onClose: (act) => (raw.destroyed ? queueMicrotask(act) : void raw.once('close', act)),
    onDrain: (act) => void raw.once('drain', act),
  };
};
