// docs/compatibility.md as it has to be; scripts/compatibility.ts writes it.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { deviations } from './teable-schemas.ts';
import { clientVersion, walk, type Walked } from './teable-operations.ts';

const line = ({ method, shown }: Walked): string => `\`${method} ${shown}\``;

export const compatibilityPage = (endpoints: readonly Declaration[]): string => {
  const all = walk(endpoints);
  const of = (state: Walked['state']): Walked[] => all.filter((one) => one.state === state);
  const reasons = new Map<string, Walked[]>();
  for (const one of of('absent')) reasons.set(one.reason, [...(reasons.get(one.reason) ?? []), one]);
  return `# Compatibility with Teable

Made by \`node --import tsx scripts/compatibility.ts\`; \`npm run check\` compares it with the code.

The operations are those of \`@teable/openapi\` ${clientVersion()}, Teable's own client, as it is on npm. The tests \`test/api/teable-*.test.ts\`
use that client unmodified against a running server. At the end of a test run its schemas read one answer of every shape that any API test got.

| | operations |
|---|---:|
| served | ${of('served').length} |
| answered with an empty value | ${of('empty').length} |
| not there | ${of('absent').length} |
| all | ${all.length} |

## Answered with an empty value

There is nothing of the kind here; clients that ask go on.

${of('empty').map((one) => `- ${line(one)}`).join('\n')}

## Not there

A request to one of these is answered with status 404.

| why | operations |
|---|---|
${[...reasons].map(([reason, list]) => `| ${reason} | ${list.map(line).join('<br>')} |`).join('\n')}

## Answers that differ from the client's schemas

| answer | why |
|---|---|
${deviations.map(({ answer, why }) => `| ${answer} | ${why} |`).join('\n')}
`;
};
