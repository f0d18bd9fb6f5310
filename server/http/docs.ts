// The API reference as one page of HTML, rendered from the contract: it asks no other host, and its only script searches in it.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { accessText } from '@rowhouse/contract/openapi.ts';
import { type Example, exampleOf } from './docs-example.ts';
import { introduction } from './docs-introduction.ts';
import { script, style } from './docs-look.ts';
import { escape, part, prose } from './docs-parts.ts';

const shownPath = ({ path }: Declaration): string => `/api${escape(path.replace(/:([A-Za-z]+)/g, '{$1}'))}`;

const article = (endpoint: Declaration, example: Example | undefined): string => {
  const { name, method, summary, description, access, query, headers, body, response, status } = endpoint;
  return `
<article id="${name}" data-part>
  <h3>${prose(summary)}</h3>
  <p class="place"><span class="method ${method.toLowerCase()}">${method}</span> <code>${shownPath(endpoint)}</code></p>
  <p>${prose([description, accessText(access)].filter(Boolean).join('\n\n'))}</p>
  ${exampleOf(endpoint, example)}
  ${part('Query', query)}${part('Headers', headers)}${part('Body', body)}
  ${response === undefined ? `<h4>Answer ${status}, no body</h4>` : part(`Answer ${status}`, response)}
</article>`;
};

const names: Record<string, string> = {
  'access-token': 'Access tokens',
  oauth: 'OAuth',
  absent: 'What is not here: empty answers',
};

/** Tags are words of the contract; here they are titles. */
const titleOf = (tag: string): string => names[tag] ?? tag.charAt(0).toUpperCase() + tag.slice(1);
const anchorOf = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;

const entry = ({ name, method, summary }: Declaration): string =>
  `<a href="#${name}"><i class="${method.toLowerCase()}">${method}</i> ${escape(summary)}</a>`;

export const renderDocs = (
  endpoints: readonly Declaration[],
  examples: Readonly<Record<string, Example>> = {},
): string => {
  const tags = [...new Set(endpoints.map((endpoint) => endpoint.tag))]
    .map((tag) => ({ tag, title: titleOf(tag), of: endpoints.filter((endpoint) => endpoint.tag === tag) }))
    .sort((one, other) => (one.title < other.title ? -1 : 1));
  const chapters = introduction(endpoints);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Rowhouse API</title><style>${style}</style></head><body>
<input id="menu" type="checkbox" aria-label="Contents">
<header><label class="menu" for="menu">Contents</label><b>Rowhouse API</b><input id="search" type="search" placeholder="Search operations and fields" aria-label="Search" hidden><a href="/api/openapi.json">OpenAPI file</a></header>
<div class="page"><nav aria-label="Contents"><details open><summary>Introduction</summary>${chapters.map(({ id, title }) => `<a href="#${id}">${title}</a>`).join('')}</details>${tags
    .map(
      ({ title, of }) =>
        `<details><summary>${escape(title)} <span>${of.length}</span></summary>${of.map(entry).join('')}</details>`,
    )
    .join('')}<p><a href="/api/openapi.json">OpenAPI file</a></p></nav>
<main><h1>Rowhouse API</h1><p class="lead">${endpoints.length} operations, made from the contract that this server checks requests against. Press / to search.</p>
<p id="none" role="status" hidden>Nothing here has all of these words.</p>
<section id="introduction" aria-label="Introduction">${chapters.map(({ id, title, html }) => `<div class="chapter" id="${id}" data-part><h3>${title}</h3>${html}</div>`).join('')}</section>
${tags
  .map(
    ({ tag, title, of }) =>
      `<section><h2 id="${anchorOf(tag)}">${escape(title)}</h2>${of
        .map((endpoint) => article(endpoint, examples[endpoint.name]))
        .join('')}</section>`,
  )
  .join('')}</main></div><script>${script}</script></body></html>`;
};
