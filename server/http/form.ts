// Form bodies, for the endpoints of OAuth, whose protocol wants them; everywhere else a form stays a 415,
// because a form is what another site can send without asking.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance } from 'fastify';
import type { Route } from './route.ts';

const largestForm = 65_536;

/** A key that comes several times has an array of its values. */
export const parseForm = (text: string): Record<string, string | string[]> => {
  const form: Record<string, string | string[]> = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) {
    const earlier = form[key];
    form[key] = earlier === undefined ? value : [earlier, value].flat();
  }
  return form;
};

export const addForms = (app: FastifyInstance, routes: readonly Route[]): void => {
  const formPaths = new Set(routes.filter(({ endpoint }) => endpoint.form === true).map(({ endpoint }) => `/api${endpoint.path}`));
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: largestForm }, (request, body, done) => {
    if (formPaths.has(request.routeOptions.url ?? '')) done(null, parseForm(body as string));
    else done(new ApiError('unsupported_media_type', 'Send the body as application/json'));
  });
};
