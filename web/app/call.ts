// The one way to the server: the contract's typed client, watching whether the server answers at all.
import { createClient } from '@rowhouse/contract/client.ts';
import { connectionAnswered, connectionLost } from './connection.ts';
import { takeEarly } from './early.ts';
import { noteWrite, tellOperation } from './operations.ts';

let addressFor = (url: string): string => url;

/** On the page of a share the views ask the share what they would ask their table. */
export const askThrough = (rewrite: (url: string) => string): void => {
  addressFor = rewrite;
};

export const call = createClient({
  baseUrl: '/api',
  fetch: async (url, init) => {
    const method = init?.method ?? 'GET';
    try {
      const answer = takeEarly(String(url)) ?? fetch(addressFor(String(url)), init);
      if (method !== 'GET') noteWrite(answer);
      const response = await answer;
      connectionAnswered();
      tellOperation(method, String(url), response);
      return response;
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) connectionLost();
      throw error;
    }
  },
});
