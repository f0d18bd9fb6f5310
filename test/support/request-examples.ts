// An example of a request for each operation: what the walk of access sends, which the test of the access matrix runs against a server, with the names of things in place of ids.
// server/http/examples.json is made from this.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { requestFor } from './access-request.ts';
import type { Things } from './access-tenant.ts';
import { walks } from './access-walk.ts';

interface Example {
  query?: Record<string, unknown>;
  body?: unknown;
}

/** `<tableId>` in place of an id of a table. */
const named = new Proxy({} as Things, { get: (_things, name) => `<${String(name)}>` });

/** Of those that a walk gets through with. A request that an operation refuses is no example. */
export const requestExamples = (endpoints: readonly Declaration[]): Record<string, Example> =>
  Object.fromEntries(
    endpoints.flatMap((endpoint) => {
      if (walks[endpoint.name]?.answers !== undefined) return [];
      const { query, body, raw } = requestFor(endpoint, named);
      if (raw !== undefined) return [];
      return [
        [
          endpoint.name,
          { ...(query === undefined ? {} : { query }), ...(body === undefined ? {} : { body }) },
        ] as const,
      ];
    }),
  );

/** Moments are those of the run; here they stay the same. */
export const examplesText = (endpoints: readonly Declaration[]): string =>
  `${JSON.stringify(requestExamples(endpoints), null, 1).replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, '2030-01-01T00:00:00.000Z')}\n`;
