// A provider of OpenID Connect for tests: the certified `oidc-provider` behind an address of its own, and ways to make it lie.
import { createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const clientId = 'rowhouse';
export const clientSecret = 'the secret of the client 7';

interface Key {
  kid: string;
  privateKey: KeyObject;
  /** With its private part. */
  jwk: Record<string, unknown>;
}

const newKey = (kid: string): Key => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { kid, privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } };
};

const publicPart = ({ jwk: { kty, n, e, kid, alg, use } }: Key): object => ({ kty, n, e, kid, alg, use });

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const claimsIn = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());

const signed = (claims: object, { kid, privateKey }: Key): string => {
  const text = `${encode({ alg: 'RS256', kid })}.${encode(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
};

export interface Lies {
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** A key that the provider does not publish. */
  withStrangeKey?: boolean;
  /** Nothing signs it. */
  unsigned?: boolean;
}

interface IdentityProvider {
  issuer: string;
  /** What it says about people, by their subject. */
  people: Map<string, Record<string, unknown>>;
  /** What it changes about its ID tokens. */
  lies: Lies | null;
  /** From now on another key signs, and the former one is no longer published. */
  rotateKey(): void;
  /** A logout token with these claims besides those that it has to have. */
  logoutToken(claims: Record<string, unknown>, lie?: Pick<Lies, 'withStrangeKey' | 'unsigned'>): string;
  /** Begins to serve, for a client with these redirect URIs. */
  serve(redirectUris: string[]): void;
  close(): Promise<void>;
}

const form = (uid: string): string =>
  `<!doctype html><html lang="en"><title>Provider</title><h1>Who are you?</h1><form method="post" action="/interaction/${uid}"><label>Subject <input name="subject" autofocus></label><button>Continue</button></form>`;

const subjectOf = async (request: IncomingMessage): Promise<string | null> => {
  const told = request.headers['x-sign-in-as'];
  if (typeof told === 'string') return told;
  if (request.method !== 'POST') return null;
  let body = '';
  for await (const part of request) body += part;
  return new URLSearchParams(body).get('subject');
};

/** Who signs in is asked by a page, or told in the header `x-sign-in-as`. */
export const startIdentityProvider = async (): Promise<IdentityProvider> => {
  let key = newKey('first');
  const strange = newKey('first');
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self: IdentityProvider = {
    issuer,
    people: new Map(),
    lies: null,
    rotateKey() {
      key = newKey('second');
    },
    logoutToken(claims, { withStrangeKey = false, unsigned = false } = {}) {
      const at = Math.floor(Date.now() / 1_000);
      const all = {
        iss: issuer,
        aud: clientId,
        iat: at,
        exp: at + 120,
        jti: randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      };
      return unsigned ? `${encode({ alg: 'none' })}.${encode(all)}.` : signed(all, withStrangeKey ? strange : key);
    },
    serve(redirectUris) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: redirectUris,
            post_logout_redirect_uris: redirectUris.map((uri) => `${new URL(uri).origin}/login`),
            backchannel_logout_uri: redirectUris[0]?.replace(/callback$/, 'backchannel-logout') as string,
            backchannel_logout_session_required: true,
          },
        ],
        jwks: { keys: [key.jwk as never] },
        cookies: { keys: ['a key of the tests'] },
        pkce: { required: () => true },
        // By itself it calls no client on the same machine.
        fetch: (url, options) => {
          const { dispatcher: _guarded, ...rest } = options as RequestInit & { dispatcher?: unknown };
          return fetch(url, rest);
        },
        ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'preferred_username', 'groups', 'realm_access'],
        },
        features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: (_context, subject) => ({
          accountId: subject,
          claims: () => ({ sub: subject, ...self.people.get(subject) }),
        }),
        async loadExistingGrant({ oidc }) {
          const grant = new oidc.provider.Grant({
            clientId: oidc.client?.clientId as string,
            accountId: oidc.session?.accountId as string,
          });
          grant.addOIDCScope('openid email profile');
          await grant.save();
          return grant;
        },
      });
      provider.use(async (context, next) => {
        await next();
        if (context.path === '/jwks') context.body = { keys: [publicPart(key)] };
        const answer = context.body as { id_token?: string } | undefined;
        if (context.path !== '/token' || answer?.id_token === undefined) return;
        const claims = claimsIn(answer.id_token);
        const told = self.lies?.claims?.(claims) ?? claims;
        answer.id_token =
          self.lies?.unsigned === true
            ? `${encode({ alg: 'none' })}.${encode(told)}.`
            : signed(told, self.lies?.withStrangeKey === true ? strange : key);
        context.body = answer;
      });
      const answer = provider.callback();
      const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        const subject = await subjectOf(request);
        if (subject === null) {
          const { uid } = await provider.interactionDetails(request, response);
          response.writeHead(200, { 'content-type': 'text/html' }).end(form(uid));
        } else if (subject === '') {
          await provider.interactionFinished(request, response, { error: 'access_denied' });
        } else {
          await provider.interactionFinished(request, response, { login: { accountId: subject } });
        }
      };
      handle = (request, response) =>
        void (request.url?.startsWith('/interaction/') === true
          ? interact(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
          : answer(request, response));
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return self;
};

/** What a browser does for these tests: cookies of each origin, and redirects one by one. */
export const newBrowser = () => {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (origin: string): Map<string, string> => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const cookiesOf = (origin: string): string =>
    [...jarOf(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
  const visit = async (url: string | URL, headers: Record<string, string> = {}): Promise<Response> => {
    const { origin } = new URL(url);
    const response = await fetch(url, { redirect: 'manual', headers: { ...headers, cookie: cookiesOf(origin) } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jarOf(origin).delete(name);
      else jarOf(origin).set(name, value);
    }
    return response;
  };
  return {
    visit,
    cookiesOf,
    take: (origin: string, cookie: string): void => {
      const [name = '', value = ''] = cookie.split('=');
      jarOf(origin).set(name, value);
    },
    /** From an address on to the callback of the server, which is not visited yet; or to where it ends before. */
    async travel(from: string | URL, as: string): Promise<URL> {
      let at = new URL(from);
      for (let hops = 0; hops < 12; hops += 1) {
        const response = await visit(at, { 'x-sign-in-as': as });
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${at.pathname} answered ${response.status}: ${await response.text()}`);
        at = new URL(location, at);
        if (at.pathname.endsWith('/callback') || at.searchParams.has('problem')) return at;
      }
      throw new Error('redirected too often');
    },
  };
};
