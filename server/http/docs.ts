// The API reference as one page of HTML, rendered from the contract: it asks no other host, and its only script searches in it.
import { hash } from 'node:crypto';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { errorTable } from '@rowhouse/contract/error.ts';
import { eventSchemas } from '@rowhouse/contract/event.ts';
import { accessText, requestText } from '@rowhouse/contract/openapi.ts';
import { actions } from '@rowhouse/contract/permission.ts';

interface Shape {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  required?: string[];
  description?: string;
}

const escape = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] as string,
  );

const prose = (text: string): string =>
  escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '</p><p>');

const typeText = (shape: Shape, depth = 0): string => {
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (shape.anyOf !== undefined) return shape.anyOf.map((option) => typeText(option, depth)).join(' | ');
  if (shape.type === 'array') return `${typeText(shape.items ?? {}, depth)}[]`;
  if (shape.type === 'object') {
    const keys = Object.keys(shape.properties ?? {});
    if (keys.length === 0 || depth > 0) return keys.length === 0 ? 'object' : `{ ${keys.join(', ')} }`;
    return 'object';
  }
  return [shape.type ?? 'any'].flat().join(' | ');
};

const rows = (shape: Shape): string =>
  Object.entries(shape.properties ?? {})
    .map(
      ([name, property]) =>
        `<tr><td><code>${escape(name)}</code>${shape.required?.includes(name) ? ' <b title="required">*</b>' : ''}</td><td><code>${escape(typeText(property, 1))}</code></td><td>${prose(property.description ?? '')}</td></tr>`,
    )
    .join('');

const part = (title: string, schema: unknown): string => {
  if (schema === undefined) return '';
  const shape = schema as Shape;
  const inner = shape.type === 'array' ? (shape.items as Shape) : shape;
  const table = rows(inner);
  const kind = table === '' || shape.type === 'array' ? ` <code>${escape(typeText(shape))}</code>` : '';
  return `<h4>${title}${kind}</h4>${table === '' ? '' : `<table>${table}</table>`}`;
};

export interface Example {
  query?: Record<string, unknown>;
  body?: unknown;
}

const queryText = (query: Record<string, unknown>): string =>
  Object.entries(query)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((item) => [`${name}[]`, item]) : [[name, value] as const],
    )
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
    )
    .join('&')
    .replaceAll('%3C', '<')
    .replaceAll('%3E', '>');

/** As typed into a shell. A quotation mark of a body would end it there. */
const exampleText = ({ method, path, access }: Declaration, { query, body }: Example): string => {
  const asked = query === undefined ? '' : `?${queryText(query)}`;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$ORIGIN/api${path.replace(/:([A-Za-z]+)/g, '<$1>')}${asked}"`,
    ...(access.on === 'public' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(' \\\n  ');
};

const exampleOf = (endpoint: Declaration, example: Example | undefined): string =>
  example === undefined ? '' : `<h4>Example</h4><pre><code>${escape(exampleText(endpoint, example))}</code></pre>`;

const section = (endpoint: Declaration, example: Example | undefined): string => `
<article id="${endpoint.name}">
  <h3><span class="method ${endpoint.method.toLowerCase()}">${endpoint.method}</span> <code>/api${escape(endpoint.path.replace(/:([A-Za-z]+)/g, '{$1}'))}</code></h3>
  <p><b>${prose(endpoint.summary)}</b></p>
  <p>${prose([endpoint.description, accessText(endpoint.access)].filter(Boolean).join('\n\n'))}</p>
  ${part('Query', endpoint.query)}${part('Headers', endpoint.headers)}${part('Body', endpoint.body)}
  ${endpoint.response === undefined ? `<h4>Answer ${endpoint.status}, no body</h4>` : part(`Answer ${endpoint.status}`, endpoint.response)}
  ${exampleOf(endpoint, example)}
</article>`;

const links = (endpoints: readonly Declaration[]): string =>
  endpoints.map(({ name, summary }) => `<a href="#${name}">${escape(summary)}</a>`).join(', ');

const readsHeader =
  (name: string) =>
  (endpoint: Declaration): boolean =>
    Object.keys((endpoint.headers as Shape | undefined)?.properties ?? {}).includes(name);

const scopeOf = ({ access }: Declaration): string | undefined =>
  'action' in access ? access.action : 'scope' in access ? access.scope : undefined;

/** What programs have to know besides single operations. Lists are made from the contract, so that they cannot be out of date. */
const introduction = (endpoints: readonly Declaration[]): [id: string, title: string, html: string][] => [
  [
    'credentials',
    'Credentials',
    `<p>${prose('`Authorization: Bearer <token>`, with an access token of your own or one of an OAuth application. Metadata of the OAuth server is at `/.well-known/oauth-authorization-server`: authorisation code with PKCE, and refresh tokens. Pages of other origins use tokens as well; cookies are for the app.')}</p>`,
  ],
  [
    'scopes',
    'Scopes',
    `<p>A token may do what its scopes say, and never more than its user.</p><table>${actions
      .map((scope) => {
        const needed = endpoints.filter((endpoint) => scopeOf(endpoint) === scope);
        return `<tr><td><code>${escape(scope)}</code></td><td>${needed.length === 0 ? 'Looked at within other operations' : links(needed)}</td></tr>`;
      })
      .join('')}</table>`,
  ],
  [
    'paging',
    'Paging',
    `<p>${prose('Lists of records take `take` and `skip`, or `cursor` with the `extra.nextCursor` of the page before; `Link: rel="next"` names the next page. A page by cursor costs the same however deep it is.')}</p>`,
  ],
  [
    'retries',
    'Retries and limits',
    `<p>${prose('429 and 503 pass: try again after as many seconds as `Retry-After` says. `RateLimit` and `RateLimit-Policy` tell how many requests are left in this second. 409 means that somebody was faster: read, then write again. Other errors below 500 are final.')}</p>`,
  ],
  [
    'idempotency',
    'Writing once',
    `<p>${prose('A request with an `Idempotency-Key` is done once, however often it is sent within 24 hours. `Idempotency-Replayed: true` tells that it had been done before.')} Read by: ${links(endpoints.filter(readsHeader('Idempotency-Key')))}.</p>`,
  ],
  [
    'webhooks',
    'Webhooks',
    `<p>${prose('A base tells other servers of changes: `POST /base/{baseId}/webhook` with an address and the events, conditions and fields that count. Requests are signed as Standard Webhooks say, arrive in order for each record, are tried ten times over three days, and can be sent again for 30 days.')}</p>`,
  ],
  [
    'examples',
    'Examples',
    `<p>${prose('Most operations have an example below, which the tests of this server run. `$ORIGIN` is its address, `$TOKEN` a token, and `<tableId>` stands for an id.')}</p>`,
  ],
  [
    'events',
    'Events',
    `<p>${prose('Server-Sent Events: `event` is the name, `data` JSON as below, `id` what `Last-Event-ID` takes. Documents over a WebSocket are at `/socket`, in the protocol of ShareDB.')}</p>${Object.entries(
      eventSchemas,
    )
      .map(([name, schema]) => part(`<code>${name}</code>`, schema))
      .join('')}`,
  ],
];

/** Hides what does not hold the words that somebody looks for. The policy of the page lets this script through, by its hash, and no other. */
const script = `const field=document.getElementById('search'),parts=[...document.querySelectorAll('article')].map(part=>[part,part.textContent.toLowerCase(),document.querySelector('nav a[href="#'+part.id+'"]')]);
field.hidden=false;field.addEventListener('input',()=>{const words=field.value.toLowerCase().split(/\\s+/);for(const [part,text,link] of parts){const gone=!words.every(word=>text.includes(word));part.hidden=gone;link.hidden=gone}})`;

export const docsPolicy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash('sha256', script, 'base64')}'; base-uri 'none'; form-action 'none'`;

const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 15%,transparent)}
body{font:15px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:minmax(13rem,18rem) minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);box-sizing:border-box}
nav a{display:block;color:inherit;text-decoration:none;padding:.1rem 0;overflow-wrap:anywhere}nav a:hover{text-decoration:underline}[hidden]{display:none!important}#search{font:inherit;width:100%;box-sizing:border-box;margin:.5rem 0;padding:.3rem .5rem}
pre{overflow:auto;background:color-mix(in srgb,currentColor 6%,transparent);padding:.5rem .75rem;border-radius:.25rem}
main{padding:1rem 2rem 6rem;max-width:60rem}article{border-top:1px solid var(--line);padding:1rem 0}
code{font:13px ui-monospace,monospace}table{border-collapse:collapse;width:100%}td{border-top:1px solid var(--line);padding:.25rem .5rem;vertical-align:top}
td:first-child{white-space:nowrap}h3{overflow-wrap:anywhere;margin:0}h4{margin:.75rem 0 .25rem}
.method{font:700 12px ui-monospace,monospace;padding:.15rem .4rem;border-radius:.25rem;color:#fff;background:#57606a}
.get{background:#1a6fb5}.post{background:#1a7f43}.put,.patch{background:#9a5b00}.delete{background:#b42318}
@media(max-width:700px){body{display:block}nav{position:static;height:auto;border:0}}`;

export const renderDocs = (
  endpoints: readonly Declaration[],
  examples: Readonly<Record<string, Example>> = {},
): string => {
  const tags = [...new Set(endpoints.map((endpoint) => endpoint.tag))];
  const of = (tag: string): Declaration[] => endpoints.filter((endpoint) => endpoint.tag === tag);
  const first = introduction(endpoints);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Rowhouse API</title><style>${style}</style></head><body>
<nav><b>Rowhouse API</b><input id="search" type="search" placeholder="Search" aria-label="Search" hidden><h4>Introduction</h4>${first.map(([id, title]) => `<a href="#${id}">${title}</a>`).join('')}${tags
    .map(
      (tag) =>
        `<h4>${escape(tag)}</h4>${of(tag)
          .map((endpoint) => `<a href="#${endpoint.name}">${escape(endpoint.summary)}</a>`)
          .join('')}`,
    )
    .join('')}<h4>More</h4><a href="#errors">Errors</a><a href="/api/openapi.json">OpenAPI file</a></nav>
<main><h1>Rowhouse API</h1><p>${prose(requestText)}</p>
${first.map(([id, title, html]) => `<h2 id="${id}">${title}</h2>${html}`).join('')}
${tags
  .map(
    (tag) =>
      `<h2>${escape(tag)}</h2>${of(tag)
        .map((endpoint) => section(endpoint, examples[endpoint.name]))
        .join('')}`,
  )
  .join('')}
<h2 id="errors">Errors</h2><p>Every error is <code>{ message, status, code, data?, requestId }</code>.</p><table>${Object.entries(
    errorTable,
  )
    .map(
      ([code, { status, meaning }]) =>
        `<tr><td>${status}</td><td><code>${code}</code></td><td>${prose(meaning)}</td></tr>`,
    )
    .join('')}</table></main><script>${script}</script></body></html>`;
};
