// Ready-made requests for one table, with its real ids and field names.
import type { Field } from '@rowhouse/contract/field.ts';
import { fieldTypeOf } from '../field-type/field-types.ts';

interface Example {
  title: string;
  lead: string;
  code: Record<Language, string>;
}

export type Language = 'curl' | 'javascript' | 'python';

export const languages: readonly { key: Language; label: string }[] = [
  { key: 'curl', label: 'curl' },
  { key: 'javascript', label: 'JavaScript' },
  { key: 'python', label: 'Python' },
];

const sample = (field: Field): unknown => fieldTypeOf(field.type).example?.(field);

const cellsOf = (fields: readonly Field[]): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter((field) => field.isComputed !== true && sample(field) !== undefined)
      .slice(0, 6)
      .map((field) => [field.name, sample(field)]),
  );

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);

/** JSON as Python writes it. */
const python = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(
    /("(?:[^"\\]|\\.)*")|\btrue\b|\bfalse\b|\bnull\b/g,
    (found, quoted: string | undefined) => quoted ?? { true: 'True', false: 'False', null: 'None' }[found] ?? found,
  );

const request = (method: string, url: string, body?: unknown): Record<Language, string> => ({
  curl: [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(url)}`,
    `-H "Authorization: Bearer $ROWHOUSE_TOKEN"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${shellQuoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  '),
  javascript: `const response = await fetch(${JSON.stringify(url)}, {
  ${method === 'GET' ? '' : `method: ${JSON.stringify(method)},\n  `}headers: {
    Authorization: \`Bearer \${process.env.ROWHOUSE_TOKEN}\`,${body === undefined ? '' : "\n    'Content-Type': 'application/json',"}
  },${body === undefined ? '' : `\n  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), 2)}),`}
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`,
  python: `import os, requests

response = requests.${method.toLowerCase()}(
    ${JSON.stringify(url)},
    headers={"Authorization": f"Bearer {os.environ['ROWHOUSE_TOKEN']}"},${body === undefined ? '' : `\n    json=${indented(python(body), 4)},`}
)
response.raise_for_status()
print(response.json())`,
});

export const examplesFor = (origin: string, tableId: string, fields: readonly Field[]): Example[] => {
  const url = `${origin}/api/table/${tableId}/record`;
  const cells = cellsOf(fields);
  const [name = 'Name'] = Object.keys(cells);
  return [
    {
      title: 'List records',
      lead: 'Up to 1,000 at once. The Link header of the response leads to the next page.',
      code: request('GET', `${url}?take=100`),
    },
    {
      title: 'Create records',
      lead: 'Several at once, all or none.',
      code: request('POST', url, { records: [{ fields: cells }] }),
    },
    {
      title: 'Update records',
      lead: 'Only the cells that you send change.',
      code: request('PATCH', url, { records: [{ id: 'rec…', fields: { [name]: cells[name] ?? null } }] }),
    },
    { title: 'Delete a record', lead: 'Returns the deleted record.', code: request('DELETE', `${url}/rec…`) },
    { title: 'History', lead: 'Every change of a cell, newest first.', code: request('GET', `${url}/history`) },
  ];
};
