// Worker that is the limit of HTTP in Node: Fastify parses the same bodies and sends answers that were recorded
// from Rowhouse, with nothing in between.
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { beWorker } from './worker.ts';

interface BareServer {
  /** A JSON list of texts. */
  answers: string;
  status: number;
}

beWorker<BareServer, object, string>(async ({ answers: file, status }) => {
  const answers = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const app = Fastify({ bodyLimit: 1_073_741_824 });
  let next = 0;
  app.route({
    method: ['GET', 'POST', 'PATCH'],
    url: '/api/*',
    handler: (_request, reply) => {
      next = (next + 1) % answers.length;
      void reply.code(status).type('application/json; charset=utf-8').send(answers[next]);
    },
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return async () => origin;
});
