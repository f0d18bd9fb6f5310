// Somebody who reads over HTTP, as text: what is compared is what was sent.
import { addressOf } from '@rowhouse/contract/client.ts';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { leanFetch } from '../../test/support/lean-fetch.ts';

interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

export interface Reader {
  get: (endpoint: Declaration, request: object) => Promise<Answer>;
  /** Of an answer that is 200. */
  text: (endpoint: Declaration, request: object) => Promise<string>;
  read: <T>(endpoint: Declaration, request: object) => Promise<T>;
}

export const readerAt = (baseUrl: string, token: string): Reader => {
  const get = async (endpoint: Declaration, request: object): Promise<Answer> => {
    const answer = await leanFetch(baseUrl + addressOf(endpoint, request as never), {
      method: endpoint.method,
      headers: { authorization: `Bearer ${token}` },
    });
    // Two answers that are the same fault of the server would be equal.
    if (answer.status >= 500)
      throw new Error(`${endpoint.name} ${JSON.stringify(request)}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  };
  const text = async (endpoint: Declaration, request: object): Promise<string> => {
    const answer = await get(endpoint, request);
    if (answer.status !== 200)
      throw new Error(`${endpoint.name} ${JSON.stringify(request)}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.text;
  };
  return { get, text, read: async (endpoint, request) => JSON.parse(await text(endpoint, request)) };
};
