// The one way to the server: the contract's typed client, watching whether the server answers at all.
import { createClient } from '@rowhouse/contract/client.ts';
import { connectionAnswered, connectionLost } from './connection.ts';
import { takeEarly } from './early.ts';
import { noteChange } from './last-deletion.ts';
import { askForRoles } from './query-client.ts';
import { noteSideEffects } from './side-effects.ts';
import { viewingHeaders } from './viewing.ts';
import { windowHeaders } from './window-steps.ts';
import { noteWrite } from './writes.ts';

let addressFor = (url: string): string => url;
let visiting: Readonly<Record<string, string>> = {};

/** On the page of a share the views ask the share what they would ask their table. */
export const askThrough = (rewrite: (url: string) => string): void => {
  addressFor = rewrite;
};

/** On the page of a shared base everything is asked as its visitor. */
export const askVisiting = (headers: Readonly<Record<string, string>>): void => {
  visiting = headers;
};

const send = (url: string, init: RequestInit): Promise<Response> => {
  const method = init.method ?? 'GET';
  const as = { ...viewingHeaders(url), ...visiting };
  if (method === 'GET')
    return (
      takeEarly(url) ??
      fetch(addressFor(url), { ...init, headers: { ...(init.headers as Record<string, string>), ...as } })
    );
  noteChange(url);
  const given = init.headers as Record<string, string>;
  const headers = windowHeaders(method, url, given);
  const answer = fetch(addressFor(url), { ...init, headers: { ...given, ...headers, ...as } });
  noteWrite(answer);
  return answer.then((response) => {
    noteSideEffects(headers['x-window-step'], response.headers.get('x-side-effects'));
    return response;
  });
};

export const call = createClient({
  baseUrl: '/api',
  fetch: async (url, init) => {
    try {
      const response = await send(String(url), init ?? {});
      connectionAnswered();
      // Something that was offered is not allowed or not there: the role may be another one than when the page was opened.
      if ((response.status === 403 || response.status === 404) && (init?.method ?? 'GET') !== 'GET') askForRoles();
      return response;
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) connectionLost();
      throw error;
    }
  },
});
