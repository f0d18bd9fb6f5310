import { expect, test } from 'vitest';
import { routes } from '../server/app.ts';
import type { Holdings } from './estate.ts';
import { requestsFor } from './requests.ts';

const things = new Proxy({} as Holdings, { get: (_target, key) => `<${String(key)}>` });

interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

const namesIn = (shape: Shape | undefined): string[] =>
  shape === undefined
    ? []
    : [
        ...Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => [name, ...namesIn(inner)]),
        ...namesIn(shape.items),
        ...(shape.anyOf ?? []).flatMap(namesIn),
      ];

test('every parameter of the contract that takes an id is named by a request of the proof', () => {
  const missing = routes.flatMap(({ endpoint }) => {
    const asked = JSON.stringify(requestsFor(endpoint, things));
    const ids = [...namesIn(endpoint.query as Shape), ...namesIn(endpoint.body as Shape)].filter((name) =>
      /Ids?$|_id$/.test(name),
    );
    return ids.filter((name) => !asked.includes(`"${name}"`)).map((name) => `${endpoint.name}: ${name}`);
  });
  expect(missing).toEqual([]);
});
