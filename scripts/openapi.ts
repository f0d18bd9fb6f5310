// Prints the OpenAPI file of this version, for the linter and for anyone who wants it without a server.
import { openapi } from '@rowhouse/contract/openapi.ts';
import { routes } from '../server/app.ts';

console.log(
  JSON.stringify(
    openapi(
      routes.map((route) => route.endpoint),
      'http://127.0.0.1:3000',
    ),
    null,
    2,
  ),
);
