// Form bodies, for the endpoints of OAuth, whose protocol wants them; everywhere else a form stays a 415,
// because a form is what another site can send without asking.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance } from 'fastify';
import type { Route } from '../endpoint/route.ts';
import { addPair, hasMoreThan, type Pairs } from './pairs.ts';

const largestForm = 65_536;

/** OAuth and OpenID Connect together know about thirty parameters. */
const mostParameters = 100;

const parseForm = (text: string): Pairs => {
  if (hasMoreThan(text, mostParameters))
    throw new ApiError('validation_error', `Validation error: the form has more than ${mostParameters} parameters`);
  const form: Pairs = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) addPair(form, key, value);
  return form;
};

export const addForms = (app: FastifyInstance, routes: readonly Route[]): void => {
  const formPaths = new Set(
    routes.filter(({ endpoint }) => endpoint.form === true).map(({ endpoint }) => `/api${endpoint.path}`),
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    async (request: { routeOptions: { url?: string | undefined } }, body: string | Buffer) => {
      if (!formPaths.has(request.routeOptions.url ?? ''))
        throw new ApiError('unsupported_media_type', 'Send the body as application/json');
      return parseForm(body as string);
    },
  );
};
