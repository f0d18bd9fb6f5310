// What programs have to know besides single operations. Lists are made from the contract, so that they cannot be out of date.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { errorTable } from '@rowhouse/contract/error.ts';
import { eventSchemas } from '@rowhouse/contract/event.ts';
import { requestText } from '@rowhouse/contract/openapi.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { scopeMeaning } from '@rowhouse/contract/scope.ts';
import { escape, part, prose, type Shape, wide } from './docs-parts.ts';

interface Chapter {
  id: string;
  title: string;
  html: string;
}

const links = (endpoints: readonly Declaration[]): string =>
  endpoints.map(({ name, summary }) => `<a href="#${name}">${escape(summary)}</a>`).join(', ');

const readsHeader =
  (name: string) =>
  (endpoint: Declaration): boolean =>
    Object.keys((endpoint.headers as Shape | undefined)?.properties ?? {}).includes(name);

const scopeOf = ({ access }: Declaration): string | undefined =>
  'action' in access ? access.action : 'scope' in access ? access.scope : undefined;

const folded = (title: string, html: string): string => `<details><summary>${title}</summary>${html}</details>`;

const paragraphs = (...texts: string[]): string => texts.map((text) => `<p>${prose(text)}</p>`).join('');

const scopes = (endpoints: readonly Declaration[]): string =>
  wide(
    `<table><tr><th>Scope</th><th>What it lets a token do</th><th>Operations</th></tr>${actions
      .map((scope) => {
        const needed = endpoints.filter((endpoint) => scopeOf(endpoint) === scope);
        const list = needed.length === 0 ? 'Looked at within other operations' : links(needed);
        return `<tr><td><code>${escape(scope)}</code></td><td>${escape(scopeMeaning(scope))}</td><td>${needed.length > 3 ? folded(`${needed.length} operations`, list) : list}</td></tr>`;
      })
      .join('')}</table>`,
  );

const errors = wide(
  `<table><tr><th>Status</th><th>Code</th><th>Meaning</th><th>Again?</th></tr>${Object.entries(errorTable)
    .map(
      ([code, { status, meaning, passes }]) =>
        `<tr><td>${status}</td><td><code>${code}</code></td><td>${prose(meaning)}</td><td>${{ yes: 'yes, later', perhaps: 'a few times', no: 'no' }[passes]}</td></tr>`,
    )
    .join('')}</table>`,
);

export const introduction = (endpoints: readonly Declaration[]): Chapter[] => [
  { id: 'requests', title: 'Requests', html: paragraphs(requestText) },
  {
    id: 'credentials',
    title: 'Credentials and OAuth',
    html: paragraphs(
      '`Authorization: Bearer <token>`, with an access token of your own or one of an OAuth application. Pages of other origins use tokens as well; cookies are for the app.',
      'Metadata of the OAuth server is at `/.well-known/oauth-authorization-server`: authorisation code with PKCE (applications without a secret must use it), codes of devices without a browser, and refresh tokens. An access token is good for 10 minutes, a refresh token for 30 days and once.',
    ),
  },
  {
    id: 'scopes',
    title: 'Scopes',
    html: `<p>A token may do what its scopes say, where it may go, and never more than its user.</p>${scopes(endpoints)}`,
  },
  {
    id: 'errors',
    title: 'Errors',
    html: `<p>Every error is <code>{ message, status, code, data?, requestId }</code>. The message says what happened, where, and what would be right; <code>code</code> is for programs, and <code>data</code> names every offending place.</p>${errors}`,
  },
  {
    id: 'paging',
    title: 'Paging',
    html: paragraphs(
      'Lists of records take `take` and `skip`, or `cursor` with the `extra.nextCursor` of the page before; `Link: rel="next"` names the next page. A page by cursor costs the same however deep it is.',
    ),
  },
  {
    id: 'retries',
    title: 'Retries and limits',
    html: paragraphs(
      '429 and 503 pass: try again after as many seconds as `Retry-After` says. `RateLimit` and `RateLimit-Policy` tell how many requests are left in this second, where a plan limits them. 409 means that somebody was faster: read, then write again. Other errors below 500 are final.',
      'One request writes up to 20,000 records. Bodies that are larger than the server takes are answered with 413, what a plan does not allow with 402 before anything is written.',
    ),
  },
  {
    id: 'idempotency',
    title: 'Writing once',
    html: `<p>${prose('A request with an `Idempotency-Key` is done once, however often it is sent within 24 hours. `Idempotency-Replayed: true` tells that it had been done before.')} Read by: ${links(endpoints.filter(readsHeader('Idempotency-Key')))}.</p>`,
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    html: paragraphs(
      'A base tells other servers of changes: `POST /base/{baseId}/webhook` with an address and the events, conditions and fields that count. Requests are signed as Standard Webhooks say, arrive in order for each record, are tried ten times over three days, and can be sent again for 30 days.',
    ),
  },
  {
    id: 'events',
    title: 'Events',
    html: `${paragraphs('Server-Sent Events: `event` is the name, `data` JSON as below, `id` what `Last-Event-ID` takes. Documents over a WebSocket are at `/socket`, in the protocol of ShareDB.')}${Object.entries(
      eventSchemas,
    )
      .map(
        ([name, schema]) =>
          `<div class="event">${part(`<code>${name}</code>`, schema) || `<h4><code>${name}</code></h4>`}</div>`,
      )
      .join('')}`,
  },
  {
    id: 'examples',
    title: 'Examples',
    html: paragraphs(
      'Every operation has an example. The tests of this server send them; of those that need something from elsewhere, such as a file, a code from an e-mail or the address of a share, they check the form. `$ORIGIN` is the address of the server, `$TOKEN` a token, and `<tableId>` stands for an id.',
    ),
  },
];
