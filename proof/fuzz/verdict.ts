// What an answer must not be: a fault of the server, late, or an error in a form that is not documented.
import { Compile } from 'typebox/compile';
import { type Declaration, isStream } from '@rowhouse/contract/endpoint.ts';
import { type ErrorCode, errorTable } from '@rowhouse/contract/error.ts';
import type { Reply } from '../wire.ts';

export const slowest = 5_000;

const oauthErrors = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unsupported_grant_type',
  'unsupported_response_type',
  'access_denied',
]);
const speaksOauth = new Set(['createDeviceCode', 'issueOauthToken', 'revokeIssuedToken']);

const compiled = new Map<string, ReturnType<typeof Compile>>();

const schemaOf = (endpoint: Declaration): ReturnType<typeof Compile> | undefined => {
  if (endpoint.response === undefined || endpoint.produces !== undefined) return undefined;
  const known = compiled.get(endpoint.name) ?? Compile(endpoint.response);
  compiled.set(endpoint.name, known);
  return known;
};

const header = ({ headers }: Reply, name: string): string => headers.find(([key]) => key === name)?.[1] ?? '';

const jsonOf = (reply: Reply): unknown => {
  try {
    return JSON.parse(reply.body.toString('utf8'));
  } catch {
    return undefined;
  }
};

const faultOfError = (reply: Reply, endpoint: Declaration, codes: ReadonlySet<string>): string | undefined => {
  if (!header(reply, 'content-type').startsWith('application/json'))
    return `an error of type "${header(reply, 'content-type')}"`;
  const body = jsonOf(reply) as { message?: unknown; status?: unknown; code?: unknown; error?: unknown } | undefined;
  if (typeof body !== 'object' || body === null) return 'an error that is no JSON object';
  if (speaksOauth.has(endpoint.name) && typeof body.error === 'string')
    return oauthErrors.has(body.error) ? undefined : `an OAuth error "${body.error}"`;
  if (typeof body.message !== 'string' || body.message === '') return 'an error without message';
  if (body.status !== reply.status) return `an error whose body says ${String(body.status)}`;
  if (typeof body.code !== 'string' || !codes.has(body.code)) return `an error with the code ${String(body.code)}`;
  return errorTable[body.code as ErrorCode].status === reply.status
    ? undefined
    : `the code ${body.code} with another status than its own`;
};

/** For those who do not judge by the clock. */
export const inTime = (reply: Reply): Reply => ({ ...reply, millis: Math.min(reply.millis, slowest) });

/** `asked` is whether the request reached the endpoint as it is declared, so that a success must be what that answers. */
export const faultOf = (
  reply: Reply,
  endpoint: Declaration,
  codes: ReadonlySet<string>,
  options: { isHttp: boolean; isHead: boolean; isDeclared: boolean },
): string | undefined => {
  if (reply.status === -1) return options.isHttp ? `no answer within ${slowest} ms` : undefined;
  if (reply.status === 0) return options.isHttp ? 'the connection ended without an answer' : undefined;
  if (reply.millis > slowest) return `an answer after ${reply.millis} ms`;
  if (reply.status >= 500) return 'a fault of the server';
  if (options.isHead) return undefined;
  if (reply.status >= 400) return faultOfError(reply, endpoint, codes);
  if (reply.status !== endpoint.status || !options.isDeclared) return undefined;
  if (isStream(endpoint.response))
    return header(reply, 'content-type') === endpoint.response.contentMediaType
      ? undefined
      : `a stream of type "${header(reply, 'content-type')}"`;
  if (endpoint.mayBeEmpty === true && reply.body.length === 0) return undefined;
  const schema = schemaOf(endpoint);
  const body = schema === undefined ? undefined : jsonOf(reply);
  if (schema === undefined || schema.Check(body)) return undefined;
  return `a success that the contract does not declare (${JSON.stringify(schema.Errors(body).slice(0, 2))})`;
};
