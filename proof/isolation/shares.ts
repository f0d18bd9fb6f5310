// A share of a view, asked by somebody without an account for everything that it does not hold: hidden fields, records outside of
// its filter, another table, files, other views, histories. What is hidden leaves no mark, and reads like what does not exist.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { createField, listFields } from '@rowhouse/contract/field.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { copyShareToBase, enableShare, setShareMeta } from '@rowhouse/contract/share.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { createView, type ViewType } from '@rowhouse/contract/view.ts';
import { routes } from '../../server/app.ts';
import { type Answer, inBatches, send } from '../../test/support/access-request.ts';
import type { Request } from '../../test/support/access-walk.ts';
import type { World } from '../../test/support/world.ts';
import type { Estate } from '../estate.ts';
import { essence, everythingOf } from './leaks.ts';

const mark = 'HUSHHUSH';
const number = 918_273_645;

const good = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(`set-up failed: ${JSON.stringify(error)}`);
  return body;
};

interface Vault {
  tableId: string;
  path: { tableId: string; viewId: string };
  shareId: string;
  /** What must not show up unless the request named it. */
  secretIds: string[];
  /** Fields and records that the share does not hold, of this table and of another. */
  hiddenFieldIds: string[];
  hiddenRecordIds: string[];
  shownFieldIds: string[];
  /** A link and a field for files that are shown, and a file that is not. */
  linkFieldId: string;
  filesFieldId: string;
  file: { token: string; cell: object };
  cursor: string;
}

const uploaded = async ({ owner, things: { baseId } }: Estate): Promise<{ token: string; cell: object }> => {
  const bytes = Buffer.from(mark);
  const { url, token } = good(
    await owner.call(createFileSignature, {
      body: { contentType: 'text/plain', contentLength: bytes.length, type: 1, baseId },
    }),
  );
  await fetch(url, { method: 'PUT', body: bytes, headers: { 'content-type': 'text/plain' } });
  const file = good(await owner.call(notifyFile, { params: { token }, query: { filename: `${mark}.txt` } }));
  return { token, cell: { ...file, id: newId('act'), name: `${mark}.txt` } };
};

const openVault = async (estate: Estate, type: ViewType): Promise<Vault> => {
  const {
    owner,
    things: { baseId },
  } = estate;
  const rooms = good(
    await owner.call(createTable, {
      params: { baseId },
      body: {
        fields: [
          { name: 'Room', type: 'singleLineText' },
          { name: `${mark} key`, type: 'singleLineText' },
        ],
        records: [{ fields: { Room: 'Attic', [`${mark} key`]: mark } }, { fields: { Room: `${mark} cellar` } }],
      },
    }),
  );
  const [attic, cellar] = rooms.records.map(({ id }) => id) as [string, string];
  const table = good(
    await owner.call(createTable, {
      params: { baseId },
      body: {
        fields: [
          { name: 'Name', type: 'singleLineText' },
          { name: 'Cost', type: 'number' },
          { name: 'Due', type: 'date' },
          { name: `${mark} text`, type: 'singleLineText' },
          { name: `${mark} number`, type: 'number' },
          { name: `${mark} day`, type: 'date' },
          { name: `${mark} who`, type: 'user' },
          { name: `${mark} file`, type: 'attachment' },
          { name: `${mark} group`, type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: mark }] } },
        ],
        records: [],
      },
    }),
  );
  const tableId = table.id;
  const link = good(
    await owner.call(createField, {
      params: { tableId },
      body: {
        name: `${mark} room`,
        type: 'link',
        options: { relationship: 'manyOne', foreignTableId: rooms.id, isOneWay: true },
      },
    }),
  );
  // Shown, and made of what is not: neither may tell what it rests on. The link leads to no other room.
  const [roomId] = rooms.fields.map(({ id }) => id) as [string];
  const place = good(
    await owner.call(createField, {
      params: { tableId },
      body: {
        name: 'Place',
        type: 'link',
        options: {
          relationship: 'manyOne',
          foreignTableId: rooms.id,
          isOneWay: true,
          filter: { conjunction: 'and', filterSet: [{ fieldId: roomId, operator: 'is', value: 'Attic' }] },
        },
      },
    }),
  );
  const made = good(
    await owner.call(createField, {
      params: { tableId },
      body: {
        name: 'Made',
        type: 'formula',
        options: { expression: `LEN({${table.fields.find(({ name }) => name === `${mark} text`)?.id}}) > 0` },
      },
    }),
  );
  const plans = good(
    await owner.call(createField, { params: { tableId }, body: { name: 'Plans', type: 'attachment' } }),
  );
  const { token, cell } = await uploaded(estate);
  const row = (Name: string, group: string, to: string) => ({
    fields: {
      Name,
      Cost: group === 'open' ? 1 : number,
      Due: '2026-03-02T10:00:00.000Z',
      [`${mark} text`]: mark,
      [`${mark} number`]: number,
      [`${mark} day`]: '2026-03-02T10:00:00.000Z',
      [`${mark} who`]: { id: owner.userId },
      [`${mark} file`]: [cell],
      [`${mark} group`]: group,
      [`${mark} room`]: { id: to },
      ...(group === 'open' ? { Place: { id: attic } } : {}),
    },
  });
  const { records } = good(
    await owner.call(createRecords, {
      params: { tableId },
      body: { records: [row('Roof', 'open', attic), row('Fence', 'open', attic), row(`${mark} vault`, mark, cellar)] },
    }),
  );
  const fields = [...table.fields, link, place, plans, made];
  const isSecret = ({ name }: { name: string }): boolean => name.startsWith(mark);
  const [secret, shown] = [fields.filter(isSecret), fields.filter((field) => !isSecret(field))];
  const groupId = secret.find(({ name }) => name.endsWith('group'))?.id as string;
  const hidden = type === 'grid' ? { hidden: true } : { visible: false };
  const view = good(
    await owner.call(createView, {
      params: { tableId },
      body: {
        type,
        ...(type === 'form'
          ? {}
          : {
              filter: { conjunction: 'and', filterSet: [{ fieldId: groupId, operator: 'is', value: 'open' }] },
              sort: { sortObjs: [{ fieldId: groupId, order: 'asc' }] },
              group: [{ fieldId: groupId, order: 'asc' }],
            }),
        columnMeta: Object.fromEntries(
          fields.map((field) => [field.id, isSecret(field) ? hidden : type === 'grid' ? {} : { visible: true }]),
        ),
      },
    }),
  );
  const path = { tableId, viewId: view.id };
  const { shareId } = good(await owner.call(enableShare, { params: path }));
  good(
    await owner.call(setShareMeta, {
      params: path,
      body: type === 'form' ? { submit: { allow: true } } : { includeRecords: true, allowCopy: true },
    }),
  );
  const listed = good(
    await owner.call(listRecords, {
      params: { tableId },
      query: { take: 1, orderBy: JSON.stringify([{ fieldId: groupId, order: 'asc' }]), fieldKeyType: 'id' },
    }),
  );
  const hiddenRecordIds = [records[2]?.id as string, cellar, ...(type === 'form' ? records.map(({ id }) => id) : [])];
  return {
    tableId,
    path,
    shareId,
    secretIds: [
      ...secret.map(({ id }) => id),
      ...rooms.fields.map(({ id }) => id),
      ...hiddenRecordIds,
      rooms.id,
      token,
      owner.userId,
    ],
    hiddenFieldIds: [...secret.map(({ id }) => id), ...rooms.fields.map(({ id }) => id)],
    hiddenRecordIds,
    shownFieldIds: shown.map(({ id }) => id),
    linkFieldId: place.id,
    filesFieldId: plans.id,
    file: { token, cell },
    cursor: (listed.extra as { nextCursor?: string } | undefined)?.nextCursor ?? '',
  };
};

const shareRoutes = routes
  .map(({ endpoint }) => endpoint)
  .filter(
    ({ name, path, produces }) => path.startsWith('/share/') && produces === undefined && name !== 'readShareFile',
  );

/** Everything that can be said about a field, in every parameter that takes one. */
const aboutField = (fieldId: string): Record<string, unknown>[] => [
  ...['isNotEmpty', 'is', 'contains'].map((operator) => ({
    filter: JSON.stringify({
      conjunction: 'and',
      filterSet: [{ fieldId, operator, value: operator === 'isNotEmpty' ? null : mark }],
    }),
  })),
  { filterByTql: `{${fieldId}} is not null` },
  { orderBy: JSON.stringify([{ fieldId, order: 'asc' }]) },
  { groupBy: JSON.stringify([{ fieldId, order: 'asc' }]) },
  { search: [mark, fieldId, 'true'] },
  { search: [mark, fieldId, 'false'] },
  { projection: [fieldId] },
  { 'field[sum]': [fieldId] },
  { 'field[unique]': [fieldId] },
  { fieldId },
  { startDateFieldId: fieldId },
  { endDateFieldId: fieldId },
  { filterLinkCellSelected: fieldId },
  { ids: [fieldId] },
];

const aboutRecord = (recordId: string): Record<string, unknown>[] => [
  { ids: [recordId] },
  { selectedRecordIds: [recordId] },
  { search: [recordId, '', 'true'] },
];

const plain: Record<string, unknown>[] = [
  {},
  { search: mark },
  { search: [mark, '', 'false'] },
  { viewId: 'viwnone', ignoreViewQuery: true },
  { cellFormat: 'text' },
  { fieldKeyType: 'dbFieldName' },
  { type: 'columns', ranges: '[[0,900]]' },
  { take: 1 },
  { skip: 1 },
];

/** What an operation needs in any case. */
const needed = ({ name }: Declaration, { shownFieldIds: [first, , day] }: Vault): Record<string, unknown> =>
  name === 'copyShare'
    ? { ranges: '[[0,0],[900,900]]' }
    : name === 'getShareCalendar'
      ? {
          startDate: '2026-01-01T00:00:00Z',
          endDate: '2026-12-31T00:00:00Z',
          startDateFieldId: day,
          endDateFieldId: day,
        }
      : name === 'listShareLinkRecords'
        ? { fieldId: first }
        : name === 'getShareFieldSnapshots'
          ? { ids: [first] }
          : {};

const submissions = ({
  hiddenFieldIds,
  hiddenRecordIds: [record],
  shownFieldIds: [first],
  filesFieldId,
  file,
}: Vault): object[] => [
  // No more than one address may send.
  ...hiddenFieldIds.map((id, at): object =>
    at % 2 === 0 ? { fields: { [id]: mark } } : { fields: { [id]: { id: record } }, typecast: true },
  ),
  { fields: { [first as string]: { title: 'x' } } },
  // A file of the base, by its token: a cell that mentions it would show its address.
  { fields: { [filesFieldId]: [file.cell] } },
  { fields: { [filesFieldId]: [file.token] }, typecast: true },
  { fields: { [first as string]: 'A new answer' } },
];

/** `most`: of each share so many of the requests, which `shuffled` chooses. */
export const tryShares = async (
  world: World,
  estate: Estate,
  most: number,
  shuffled: <T>(items: readonly T[]) => T[],
): Promise<{ failures: string[]; asked: number; answered: number }> => {
  const failures: string[] = [];
  let [asked, answered] = [0, 0];
  for (const type of ['grid', 'kanban', 'gallery', 'calendar', 'gantt', 'form'] as const) {
    const vault = await openVault(estate, type);
    const params = { shareId: vault.shareId };
    const leak = (answer: Answer, request: Request): string | undefined => {
      const text = everythingOf(answer);
      const said = JSON.stringify(request);
      const id = vault.secretIds.find((one) => text.includes(one) && !said.includes(one));
      // A refusal may repeat what it refuses.
      const tells =
        answer.status < 300
          ? text
          : text.replaceAll(JSON.stringify(mark).slice(1, -1), (found) => (said.includes(found) ? '' : found));
      return id ?? [mark, String(number), estate.owner.email].find((word) => tells.includes(word));
    };
    const ask = async (endpoint: Declaration, request: Request): Promise<Answer> => {
      asked += 1;
      const answer = await send(world, endpoint, { params, ...request }, {});
      if (answer.status < 300) answered += 1;
      if (answer.status === 429) failures.push(`${endpoint.name} was not answered: too many requests`);
      const found = leak(answer, request);
      if (found !== undefined)
        failures.push(
          `${endpoint.name} of a ${type} leaks ${found} for ${JSON.stringify(request)}: ${answer.status} ${answer.text.slice(0, 300)}`,
        );
      if (answer.status >= 500)
        failures.push(`${endpoint.name} of a ${type} answers ${answer.status} for ${JSON.stringify(request)}`);
      return answer;
    };
    const alike = async (endpoint: Declaration, hidden: Request, unknown: Request): Promise<void> => {
      const [one, other] = [await ask(endpoint, hidden), await ask(endpoint, unknown)];
      if (essence(one) !== essence(other))
        failures.push(
          `${endpoint.name} of a ${type} tells what is hidden from what is not there: ${JSON.stringify(hidden)} ${essence(one).slice(0, 400)} | ${essence(other).slice(0, 400)}`,
        );
    };
    const reads = shareRoutes
      .filter(({ method }) => method === 'GET')
      .flatMap((endpoint) => {
        const more = needed(endpoint, vault);
        const pairs = (ids: readonly string[], about: (id: string) => Record<string, unknown>[], none: string) =>
          ids.flatMap((id) => about(id).map((query, at) => [query, about(none)[at]] as const));
        return [
          ...[
            ...plain,
            { cursor: vault.cursor },
            { fieldId: vault.linkFieldId },
            { fieldId: vault.linkFieldId, search: mark },
          ].map((query) => () => ask(endpoint, { query: { ...more, ...query } })),
          ...[
            ...pairs(vault.hiddenFieldIds, aboutField, newId('fld')),
            ...pairs(vault.hiddenRecordIds, aboutRecord, newId('rec')),
          ].map(
            ([query, none]) =>
              () =>
                alike(endpoint, { query: { ...more, ...query } }, { query: { ...more, ...none } }),
          ),
        ];
      });
    await inBatches(shuffled(reads).slice(0, most), async (work) => void (await work()));
    const submit = shareRoutes.find(({ name }) => name === 'submitShareForm') as Declaration;
    for (const body of submissions(vault)) await ask(submit, { body });
    // The address of a share is no credential anywhere else.
    const [record] = vault.hiddenRecordIds;
    const {
      tableId,
      path: { viewId },
      file,
    } = vault;
    for (const path of [
      `/table/${tableId}/record`,
      `/table/${tableId}/record/history`,
      `/table/${tableId}/record/${record}`,
      `/table/${tableId}/record/${record}/history`,
      `/table/${tableId}/events`,
      `/table/${tableId}/view/${viewId}`,
      `/table/${tableId}/field`,
      `/comment/${tableId}/${record}/list`,
      `/comment/${tableId}/count`,
    ]) {
      asked += 1;
      const { status } = await fetch(`${world.baseUrl}${path}`, {
        headers: { cookie: `${vault.shareId}=1`, 'tea-share-id': vault.shareId },
      });
      if (status !== 401) failures.push(`GET ${path} answers ${status} to somebody without an account`);
    }
    // Files are read at signed addresses, and nobody gets one by a token that they have heard of, or by the signature of a file that they brought themselves.
    const signatureOfAnother = type === 'form' ? await ownSignature(world, vault) : 'none';
    for (const [method, path] of [
      ['POST', `/attachments/notify/${file.token}`],
      ['POST', `/share/${vault.shareId}/view/notify/${file.token}`],
      ['GET', `/attachments/read/private/table/${file.token}`],
      ['GET', `/attachments/read/private/table/${file.token}?token=${vault.shareId}`],
      ['GET', `/share/${vault.shareId}/view/file/${file.token}`],
      ['GET', `/share/${vault.shareId}/view/file/${file.token}?token=${signatureOfAnother}`],
    ] as const) {
      asked += 1;
      const answer = await fetch(`${world.baseUrl}${path}`, { method, headers: { 'tea-share-id': vault.shareId } });
      if (answer.status < 400 || (await answer.text()).includes(mark))
        failures.push(
          `${method} ${path} gives the visitor of a ${type} a file that it does not show: ${answer.status}`,
        );
    }
    failures.push(...(await tryCopy(world, estate, vault, type)));
    failures.push(...(await listen(world, estate, vault)));
  }
  return { failures, asked, answered };
};

/** Of a file that a visitor puts into the form. */
const ownSignature = async ({ baseUrl }: World, { shareId }: Vault): Promise<string> => {
  const post = async (path: string, body?: object): Promise<Record<string, string>> =>
    (await (
      await fetch(`${baseUrl}/share/${shareId}/view/${path}`, {
        method: 'POST',
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
    ).json()) as Record<string, string>;
  const { url, token } = await post('signature', { contentType: 'text/plain', contentLength: 5 });
  await fetch(url as string, { method: 'PUT', body: 'hello', headers: { 'content-type': 'text/plain' } });
  const { presignedUrl } = await post(`notify/${token}`);
  if (!(await fetch(presignedUrl as string)).ok) throw new Error('a visitor cannot read their own file');
  return new URL(presignedUrl as string).searchParams.get('token') as string;
};

/** A copy holds no more than the share shows, and only people who may get one. */
const tryCopy = async (
  world: World,
  { owner, things: { baseId } }: Estate,
  { shareId, secretIds }: Vault,
  type: ViewType,
): Promise<string[]> => {
  const endpoint = routes.map((one) => one.endpoint).find(({ name }) => name === 'copyShareToBase') as Declaration;
  const stranger = await send(world, endpoint, { params: { shareId }, body: { baseId } }, {});
  const failures =
    stranger.status === (type === 'form' ? 403 : 401)
      ? []
      : [`a copy of a ${type} is answered ${stranger.status} for somebody without an account`];
  if (type === 'form') return failures;
  const tableId = good(await owner.call(copyShareToBase, { params: { shareId }, body: { baseId } })).tableId as string;
  const copy = JSON.stringify([
    (await owner.call(listFields, { params: { tableId } })).body,
    (await owner.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id' } })).body.records.map(
      ({ fields }) => fields,
    ),
  ]);
  const leak = [mark, String(number), ...secretIds].find((word) => copy.includes(word));
  return leak === undefined ? failures : [...failures, `the copy of a ${type} holds ${leak}: ${copy.slice(0, 400)}`];
};

/** What is heard while somebody writes what the share does not hold. */
const listen = async (
  world: World,
  { owner }: Estate,
  { shareId, tableId, hiddenFieldIds, hiddenRecordIds: [record], secretIds }: Vault,
): Promise<string[]> => {
  const endpoint = routes.map((one) => one.endpoint).find(({ name }) => name === 'listenToShare') as Declaration;
  const stop = new AbortController();
  const answer = await fetch(`${world.baseUrl}${addressOf(endpoint, { params: { shareId } } as never)}`, {
    signal: stop.signal,
  });
  let heard = '';
  const reading = (async () => {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>)
      heard += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  good(
    await owner.call(updateRecord, {
      params: { tableId, recordId: record as string },
      body: { fieldKeyType: 'id', record: { fields: { [hiddenFieldIds[0] as string]: `${mark} again` } } },
    }),
  );
  const { records } = good(
    await owner.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id', take: 1 } }),
  );
  for (let tries = 0; tries < 100 && !heard.includes('ready'); tries += 1)
    await new Promise((done) => setTimeout(done, 20));
  good(
    await owner.call(updateRecord, {
      params: { tableId, recordId: records[0]?.id as string },
      body: { fieldKeyType: 'id', record: { fields: { [hiddenFieldIds[0] as string]: `${mark} more` } } },
    }),
  );
  await new Promise((done) => setTimeout(done, 150));
  stop.abort();
  await reading;
  const leak = [mark, ...secretIds].find((word) => heard.includes(word));
  return leak === undefined ? [] : [`the events of a share tell ${leak}: ${heard.slice(0, 400)}`];
};
