// An example of a request, as it is typed into a shell.
import { type Declaration, isStream } from '@rowhouse/contract/endpoint.ts';
import { escape } from './docs-parts.ts';

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

/** Bytes come from a file, a form has it in a part. */
const fileLines = ({ body }: Declaration): string[] => {
  if (body === undefined || !isStream(body)) return [];
  return body.contentMediaType === 'multipart/form-data'
    ? ["-F 'file=@picture.png'"]
    : ["-H 'Content-Type: application/octet-stream'", "--data-binary '@picture.png'"];
};

/** A quotation mark of a body would end it there. */
const bodyLines = (endpoint: Declaration, body: unknown): string[] =>
  body === undefined
    ? fileLines(endpoint)
    : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`];

const exampleText = (endpoint: Declaration, { query, body }: Example): string => {
  const { method, path, access } = endpoint;
  const asked = query === undefined ? '' : `?${queryText(query)}`;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$ORIGIN/api${path.replace(/:([A-Za-z]+)/g, '<$1>')}${asked}"`,
    ...(access.on === 'public' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...bodyLines(endpoint, body),
  ];
  return lines.join(' \\\n  ');
};

export const exampleOf = (endpoint: Declaration, example: Example | undefined): string =>
  example === undefined
    ? ''
    : `<h4>Example</h4><div class="example"><pre tabindex="0"><code>${escape(exampleText(endpoint, example))}</code></pre></div>`;
