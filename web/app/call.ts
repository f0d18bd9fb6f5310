// The one way to the server: the contract's typed client, watching whether the server answers at all.
import { createClient } from '@rowhouse/contract/client.ts';
import { connectionAnswered, connectionLost } from './connection.ts';
import { takeEarly } from './early.ts';
import { noteWrite, tellOperation } from './operations.ts';

export const call = createClient({
  baseUrl: '/api',
  fetch: async (url, init) => {
    const method = init?.method ?? 'GET';
    try {
      const answer = takeEarly(String(url)) ?? fetch(url, init);
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
