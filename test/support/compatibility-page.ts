// docs/compatibility.md as it has to be; scripts/compatibility.ts writes it.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { clientFunctions } from './client-functions.ts';
import { deviations } from './teable-schemas.ts';
import { clientVersion, walk, type Walked } from './teable-operations.ts';

const line = ({ method, shown }: Walked): string => `\`${method} ${shown}\``;

interface Difference {
  what: string;
  theirs: string;
  ours: string;
}

/** Small things that a client may notice, on purpose. */
const differences: readonly Difference[] = [
  {
    what: 'Answer of `POST /table/{tableId}/record`',
    theirs: '`records`',
    ours: 'Also `extra`, with the headers of the groups that the new records stand in: the app places them without asking again. With `typecast` also what was converted',
  },
  {
    what: 'Answer of `PATCH /notifications/{notificationId}/status`',
    theirs: 'Empty',
    ours: 'The notification, which events and clients show at once; empty for one that is unknown',
  },
  {
    what: 'An object, or a list with objects, written to a text field with `typecast`',
    theirs: '`[object Object]`',
    ours: 'The title or name of each, else its JSON: nothing useful is lost',
  },
  {
    what: '`DELETE /auth/user`',
    theirs: 'The word `DELETE` is enough',
    ours: 'Also the password, or a sign-in within the last ten minutes: no token ends an account',
  },
  {
    what: 'E-mail addresses in answers of shares',
    theirs: 'Those of the people of the base',
    ours: 'Empty: visitors have no account',
  },
  { what: '`password` of `shareMeta`', theirs: 'In clear', ours: '`********`: only its hash is kept' },
  {
    what: '`GET /share/{fieldId}/view`',
    theirs: 'The id of a link field opens the records that it may lead to, for members',
    ours: '400: members have `GET /table/{tableId}/record` with `filterLinkCellCandidate`',
  },
  {
    what: '`viewId` in the query of a share',
    theirs: 'Obeyed by some operations',
    ours: 'Not read: a share shows its own view',
  },
  {
    what: 'Version of documents at `/share/{shareId}/socket/…/snapshot-bulk`',
    theirs: 'Counts changes',
    ours: 'Always 1: it would tell of changes of hidden fields. Changes come as events',
  },
];

export const compatibilityPage = (endpoints: readonly Declaration[]): string => {
  const all = walk(endpoints);
  const { called, others } = clientFunctions();
  const of = (state: Walked['state']): Walked[] => all.filter((one) => one.state === state);
  const reasons = new Map<string, Walked[]>();
  for (const one of of('absent')) reasons.set(one.reason, [...(reasons.get(one.reason) ?? []), one]);
  return `# Compatibility with Teable

Made by \`node --import tsx scripts/compatibility.ts\`; \`npm run check\` compares it with the code.

The operations are those of \`@teable/openapi\` ${clientVersion()}, Teable's own client, as it is on npm. The tests \`test/api/teable-*.test.ts\`
use that client unmodified against a running server, and so does \`test/api/share.test.ts\`. At the end of a test run its schemas read one answer of every shape that a server has given in any API test, to any client.

| | operations |
|---|---:|
| served | ${of('served').length} |
| answered with an empty value | ${of('empty').length} |
| not there | ${of('absent').length} |
| all | ${all.length} |

## Answered with an empty value

There is nothing of the kind here; clients that ask go on.

${of('empty')
  .map((one) => `- ${line(one)}`)
  .join('\n')}

## Not there

A request to one of these is answered with status 404.

| why | operations |
|---|---|
${[...reasons].map(([reason, list]) => `| ${reason} | ${list.map(line).join('<br>')} |`).join('\n')}

## What the tests run

The API tests call ${called.length} of the ${called.length + others.length} functions with which the client asks a server, and read the answers with its schemas:
${called.map((name) => `\`${name}\``).join(', ')}.

They do not call these, whose operations are not there: ${others.map((name) => `\`${name}\``).join(', ')}.

## Behaviour that differs

| what | Teable | here, and why |
|---|---|---|
${differences.map(({ what, theirs, ours }) => `| ${what} | ${theirs} | ${ours} |`).join('\n')}

## Answers that differ from the client's schemas

| answer | why |
|---|---|
${deviations.map(({ answer, why }) => `| ${answer} | ${why} |`).join('\n')}
`;
};
