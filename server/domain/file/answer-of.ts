// The answer to a request of this server to another. Every such request waits by way of this: Node tells neither `response` nor `error` when what is
// answered is the offer of another protocol (101), and no signal and no time limit ends a request that has ended already. Who waited for it, waited for ever.
import type { ClientRequest, IncomingMessage } from 'node:http';

export const answerOf = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    request
      .once('response', done)
      .once('error', fail)
      .once('close', () => fail(new Error('the connection ended without an answer')));
  });
