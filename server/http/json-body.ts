// JSON bodies. Fastify's own reading says only that something is wrong with one; whoever wrote it wants to know where.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance } from 'fastify';
import { isDeeperThan } from './json-depth.ts';
import { faultIn } from './json-fault.ts';

/** Far more than anything that is asked for here. */
const mostLevels = 500;
/** Of shorter ones no depth takes long. */
const longBody = 1_000_000;

const tooDeep = (): ApiError => new ApiError('validation_error', `Validation error: the body is nested more than ${mostLevels} levels deep`);

const notJson = (text: string): ApiError => {
  const before = text.slice(0, faultIn(text));
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return new ApiError('validation_error', `Validation error: the body is not valid JSON (line ${line}, column ${column})`);
};

export const addJson = (app: FastifyInstance): void => {
  // Nothing here is sent as text, and JSON that says it is text is a mistake to be told of.
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = (body as string).charCodeAt(0) === 0xfe_ff ? (body as string).slice(1) : (body as string);
    if (text.length > longBody && isDeeperThan(text, mostLevels)) {
      done(tooDeep());
      return;
    }
    let value: unknown;
    try {
      // No body is no body, also when it comes in no pieces.
      value = text === '' ? undefined : JSON.parse(text);
    } catch (error) {
      done(error instanceof SyntaxError ? notJson(text) : (error as Error));
      return;
    }
    done(null, value);
  });
};
