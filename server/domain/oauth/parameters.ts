// Parameters and client credentials of a protocol request, from a form or a JSON body.
import { Refusal } from './refusal.ts';

export interface Parameters {
  get(name: string): string | undefined;
  need(name: string): string;
}

const longest = 8_000;

export const readParameters = (body: unknown): Parameters => {
  const values = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const get = (name: string): string | undefined => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || value === '') return undefined;
    if (Array.isArray(value)) throw new Refusal('invalid_request', `${name} is given more than once`);
    if (typeof value !== 'string' || value.length > longest)
      throw new Refusal('invalid_request', `${name} is malformed`);
    return value;
  };
  return {
    get,
    need(name) {
      const value = get(name);
      if (value === undefined) throw new Refusal('invalid_request', `${name} is missing`);
      return value;
    },
  };
};

interface ClientCredentials {
  clientId: string;
  secret: string | undefined;
  /** Given by HTTP Basic. */
  basic: boolean;
}

// RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
const decodePart = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal('invalid_client', 'The Authorization header is malformed', true);
  }
};

const basicCredentials = (header: string): ClientCredentials => {
  const decoded = Buffer.from(header.slice(6).trim(), 'base64').toString('utf8');
  const at = decoded.indexOf(':');
  if (at < 1) throw new Refusal('invalid_client', 'The Authorization header is malformed', true);
  const secret = decodePart(decoded.slice(at + 1));
  return { clientId: decodePart(decoded.slice(0, at)), secret: secret === '' ? undefined : secret, basic: true };
};

export const readClientCredentials = (authorization: string | undefined, parameters: Parameters): ClientCredentials => {
  const clientId = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  if (authorization === undefined || !/^basic /i.test(authorization)) {
    if (clientId === undefined)
      throw new Refusal('invalid_client', 'The request does not say which application it comes from');
    return { clientId, secret, basic: false };
  }
  const given = basicCredentials(authorization);
  if (secret !== undefined)
    throw new Refusal('invalid_request', 'Send the secret in the Authorization header or in the body, not in both');
  if (clientId !== undefined && clientId !== given.clientId)
    throw new Refusal('invalid_request', 'client_id differs from the Authorization header');
  return given;
};
