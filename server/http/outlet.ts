// The outlet of an answer that lasts, straight on the socket: Fastify would put a stream in between. Cells in it stand under the
// ids of their fields, so that every path of a file is one: nothing has to be looked up.
import type { FastifyReply } from 'fastify';
import type { Access } from '../catalog/access.ts';
import { fileMark } from '../domain/file/files.ts';
import { personalAddresses } from '../domain/file/person-address.ts';
import type { Tools } from '../context.ts';
import type { Outlet } from '../live.ts';

export const openOutlet = (
  reply: FastifyReply,
  tools: Pick<Tools, 'files' | 'secretKey' | 'now' | 'publicUrl'>,
): Outlet => {
  const { raw } = reply;
  // By the access of the moment: rules may have begun to bind the listener since the stream was opened.
  const show = (text: string, access: Access): string =>
    text.includes(fileMark) ? tools.files.show(text, undefined, personalAddresses(tools, access)) : text;
  const headers = reply.getHeaders();
  reply.hijack();
  // Nothing follows a stream on its connection; kept alive it would hold up a server that is stopping.
  raw.shouldKeepAlive = false;
  raw.writeHead(reply.statusCode, headers as Record<string, string | string[]>);
  raw.flushHeaders();
  // A socket that breaks tells so by 'close' as well.
  raw.on('error', () => undefined);
  return {
    write: (chunk, access) =>
      void raw.write(
        typeof chunk === 'string'
          ? show(chunk, access)
          : chunk.includes(fileMark)
            ? Buffer.from(show(chunk.toString(), access))
            : chunk,
      ),
    backlog: () => raw.writableLength,
    end: () => void raw.end(),
    cut: () => void raw.destroy(),
    onClose: (act) => (raw.destroyed ? queueMicrotask(act) : void raw.once('close', act)),
    onDrain: (act) => void raw.once('drain', act),
  };
};
