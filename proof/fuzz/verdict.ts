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

/** Of a stream that can be had in two forms. */
const otherForms: Readonly<Record<string, string>> = { exportInstanceAudit: 'application/x-ndjson; charset=utf-8' };

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

const scim = 'application/scim+json';

/** As RFC 7644 has it: the status is a text. What is refused before the operation is asked, such as a body that is too large, has our form. */
const faultOfScimError = (reply: Reply): string | undefined => {
  const body = jsonOf(reply) as { schemas?: unknown; status?: unknown; detail?: unknown } | undefined;
  if (JSON.stringify(body?.schemas) !== '["urn:ietf:params:scim:api:messages:2.0:Error"]')
    return 'a SCIM error without its schema';
  if (body?.status !== String(reply.status)) return `a SCIM error whose body says ${String(body?.status)}`;
  return typeof body.detail === 'string' && body.detail !== '' ? undefined : 'a SCIM error without detail';
};

const faultOfError = (reply: Reply, endpoint: Declaration, codes: ReadonlySet<string>): string | undefined => {
  if (endpoint.path.startsWith('/scim/') && header(reply, 'content-type').startsWith(scim))
    return faultOfScimError(reply);
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
    return [endpoint.response.contentMediaType, otherForms[endpoint.name]].includes(header(reply, 'content-type'))
      ? undefined
      : `a stream of type "${header(reply, 'content-type')}"`;
  if (endpoint.mayBeEmpty === true && reply.body.length === 0) return undefined;
  const schema = schemaOf(endpoint);
  const body = schema === undefined ? undefined : jsonOf(reply);
  if (schema === undefined || schema.Check(body)) return undefined;
  return `a success that the contract does not declare (${JSON.stringify(schema.Errors(body).slice(0, 2))})`;
};
