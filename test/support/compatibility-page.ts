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
  {
    what: 'Chart queries of dashboards',
    theirs: 'With the rights of the base: a chart shows what its reader may not see',
    ours: 'In the sight of the reader: only their records, and nothing of a field that they do not see',
  },
  {
    what: 'Plugins of dashboards',
    theirs: 'Any that are published',
    ours: 'The chart plugin, `plgchart`; its stored shape is drawn where one of our charts says the same',
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
    what: 'Links to a table that goes to the trash',
    theirs: 'Become text, and stay text when the table is restored',
    ours: 'Stay links, broken and empty, and lead to the same records again when the table is restored. They become text, with the titles, when it is deleted for good',
  },
  {
    what: 'Links to tables of another base (`baseId`)',
    theirs: 'Within a space',
    ours: '400 until they are built: [ADR 240](adr/0240-links-across-bases.md) says how, and why they are not joins',
  },
  {
    what: 'Version of documents at `/share/{shareId}/socket/…/snapshot-bulk`',
    theirs: 'Counts changes',
    ours: 'Always 1: it would tell of changes of hidden fields. Changes come through the socket, or as events',
  },
  {
    what: 'Versions of documents at `/socket`',
    theirs: 'Count the writes of a record: the same for everybody',
    ours: 'Count what one client was sent, by one with each operation: a change that somebody does not see leaves no gap',
  },
  {
    what: 'Operations submitted at `/socket`',
    theirs: 'Refused, or fail as not implemented',
    ours: 'Refused with the endpoint that writes',
  },
  {
    what: '`projection` in a query at `/socket`',
    theirs: 'Leaves fields out',
    ours: 'Not read: a document is whole, so that two queries of a client cannot contradict each other about it',
  },
  {
    what: 'Who may open `/socket`',
    theirs: 'Sessions and shares; others are let in and refused with each message',
    ours: 'Also access tokens, in the header of the upgrade; others are refused with 401 before the upgrade',
  },
  {
    what: 'Nodes of workflows',
    theirs:
      'Scripts, models, mailboxes, records of other bases, `loopKey` and `arrayKey`, carbon copies, other mail servers, multipart bodies, `recordCreatedOrUpdated`, schedules with an end or that run once',
    ours: 'Refused with 400 and the name of the node: there is nothing of the kind, or another node does it (`Repeat`, two workflows). `deleteRecord`, `upsertRecord`, `notify`, `comment`, `wait` and the triggers `viewEntered`, `commentAdded` and `dateReached` are more than Teable has',
  },
  {
    what: '`conditions` of workflows',
    theirs: 'A form that is not documented, with NOT',
    ours: 'A filter as views have it about the record of the trigger, the same with `fact` for another node, or `{"formula": …}`',
  },
  {
    what: 'Schedules of workflows',
    theirs: 'Intervals count from `starting`',
    ours: 'Intervals count from the beginning of the hour or day; other times are `{"type": "cron"}`. `starting` must have passed',
  },
  {
    what: 'Webhooks that start workflows',
    theirs: 'An id in the address, and a bearer token on request',
    ours: 'The address is the secret: `generate-webhook-token` answers `url`, and `secret` is empty',
  },
  {
    what: 'Who reads workflows',
    theirs: 'Everybody in the base',
    ours: 'The list is for everybody; nodes, runs and tests are for those who may change automations, because they hold cells and secrets',
  },
  {
    what: 'Who workflows act as',
    theirs: 'A robot with the rights of an owner',
    ours: 'The person who activated them, with what they may at that moment',
  },
  {
    what: 'Testing a workflow',
    theirs: '`sideEffect` writes and sends',
    ours: 'Refused: a test changes and sends nothing. `test-all` and a test of one node run the draft in a transaction that is taken back',
  },
];

/** What Teable's sources have and neither list does; those that clients were seen to call, or asked for, are served above. */
const newer: readonly (readonly [what: string, here: string])[] = [
  [
    'Codes of devices (`/oauth/device/…`), sign-in by a mailed code (`/auth/signin-with-code`), short links of views and bases, `GET /table/{tableId}/aggregation/record-index`, `POST …/selection/delete-by-id`, `PATCH …/selection/delete-by-id-stream`',
    'Served',
  ],
  [
    '`allowEdit` of base shares and view shares, the header `X-Tea-Share-View`',
    'Planned: writes by people who are nobody’s members have no place in rights, quotas and history yet. Until then people are invited, or answer a form',
  ],
  [
    'Archive of records (`/table/{tableId}/record/archive`, `…/archive/…`)',
    'Planned, as records that a table keeps and no view shows, with their links and history; a copy as JSON, as Teable makes it, loses fields that are deleted since. Deleted records stay in the trash, and come back as they were',
  ],
  [
    'Streams of pasting, clearing and duplicating (`/table/{tableId}/selection/…-stream`, `paste-by-id`, `clear-by-id`)',
    'Never as Teable has them: each part is kept by itself, so that half of it may be done. Here a request is whole or nothing, 50,000 cells at once; only deleting, which has no limit, tells how far it is',
  ],
  [
    '`POST /base/{baseId}/table/{tableId}/graph`',
    'Never: Teable has taken it away again. `/table/{tableId}/field/{fieldId}/plan` and `GET /base/{baseId}/erd` say what depends on a field',
  ],
];

const emptyReasons: readonly (readonly [RegExp, string])[] = [
  [/plugin/, 'Extensions are planned, see below'],
  [/\/ai\/|ai-setting|integration|task-status/, 'Agents and AI are planned, see below'],
  [/waitlist/, 'Nobody waits: `ROWHOUSE_SIGNUP` says who may sign up, and those who were invited can'],
  [/organization/, 'Null for somebody who belongs to none'],
  [/abnormal-index/, 'An index of a search that was not finished is made again by itself, so none waits for a repair'],
];

const emptyBecause = ({ shown }: Walked): string => {
  const found = emptyReasons.find(([pattern]) => pattern.test(shown));
  if (found === undefined)
    throw new Error(`${shown} is answered with an empty value: say why in compatibility-page.ts`);
  return found[1];
};

export const compatibilityPage = (endpoints: readonly Declaration[]): string => {
  const all = walk(endpoints);
  const { called, others } = clientFunctions();
  const of = (state: Walked['state']): Walked[] => all.filter((one) => one.state === state);
  const table = (state: Walked['state']): string => {
    const reasons = new Map<string, Walked[]>();
    for (const one of of(state)) reasons.set(one.reason, [...(reasons.get(one.reason) ?? []), one]);
    return [...reasons].map(([reason, list]) => `| ${reason} | ${list.map(line).join('<br>')} |`).join('\n');
  };
  return `# Compatibility with Teable

Made by \`node --import tsx scripts/compatibility.ts\`; \`npm run check\` compares it with the code.

The operations are those of \`@teable/openapi\` ${clientVersion()}, Teable's own client, as it is on npm, and those of Teable's OpenAPI file of March 2026
that are newer than the client and were not served when they were compared. The tests \`test/api/teable-*.test.ts\`
use that client unmodified against a running server, and so does \`test/api/share.test.ts\`. At the end of a test run its schemas read one answer of every shape that a server has given in any API test, to any client.

| | operations |
|---|---:|
| served | ${of('served').length} |
| answered with an empty value | ${of('empty').length} |
| planned | ${of('planned').length} |
| never | ${of('never').length} |
| all | ${all.length} |

## Answered with an empty value

Clients that ask get what says that there is nothing, and go on.

| operation | why it is empty |
|---|---|
${of('empty')
  .map((one) => `| ${line(one)} | ${emptyBecause(one)} |`)
  .join('\n')}

## Planned

Until then a request to one of these is answered with status 404.

| for | operations |
|---|---|
${table('planned')}

## Newer than both lists

| what | here |
|---|---|
${newer.map(([what, here]) => `| ${what} | ${here} |`).join('\n')}

## Never

A request to one of these is answered with status 404.

| because | operations |
|---|---|
${table('never')}

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
