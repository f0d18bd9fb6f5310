// Somebody whom rules bind tries to learn a secret: by answers, counts, order, errors, ETags, cursors, group headers, statistics, writes that are taken or refused, as themselves, with a
// token, and through a share. Each attempt is made under one secret and under another one: what is answered has to be the same to the letter, but for ids, times and versions.
import type { Random } from '../random.ts';
import { leanFetch } from '../../test/support/lean-fetch.ts';
import type { AttackGround, Secret } from './attack-ground.ts';

interface Attempt {
  name: string;
  method?: string;
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
}

const secrets: readonly Secret[] = [
  { text: 'aaacanary', amount: 11, records: 1 },
  { text: 'zzzcanaryzz', amount: 990_011, records: 4 },
];

/** What they know or guess. */
const guesses = ['aaacanary', 'zzzcanaryzz', 'canary', 'a', 'zzz'];

const attempts = ({
  tableId,
  otherId,
  at,
  seen,
  hidden,
  hiddenPerson,
  views,
  shareId,
  shop,
}: AttackGround): Attempt[] => {
  const [one, two] = seen;
  const table = `/table/${tableId}`;
  const record = `${table}/record`;
  const filter = (fieldId: string | undefined, operator: string, value: unknown) =>
    JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId, operator, value }] });
  const fields = Object.entries(at);
  const id = { fieldKeyType: 'id' };
  const cell = (name: string, value: unknown) => ({ [at[name] as string]: value });
  const listing = (name: string, query: Record<string, unknown>): Attempt[] => [
    { name: `list ${name}`, path: record, query: { ...id, ...query } },
    { name: `count ${name}`, path: `${table}/aggregation/row-count`, query: { ...id, ...query } },
  ];
  const update = (name: string, given: object, more: object = {}): Attempt => ({
    name: `update ${name}`,
    method: 'PATCH',
    path: `${record}/${two}`,
    body: { ...id, record: given, ...more },
  });
  const share = `/share/${shareId}/view`;
  return [
    ...fields.flatMap(([name, fieldId]) => [
      ...['asc', 'desc'].flatMap((order) =>
        listing(`by ${name} ${order}`, { orderBy: JSON.stringify([{ fieldId, order }]) }),
      ),
      ...['isEmpty', 'isNotEmpty'].flatMap((operator) =>
        listing(`${name} ${operator}`, { filter: filter(fieldId, operator, null) }),
      ),
      {
        name: `groups of ${name}`,
        path: `${table}/aggregation/group-points`,
        query: { ...id, groupBy: JSON.stringify([{ fieldId, order: 'asc' }]) },
      },
      ...['filled', 'empty', 'unique', 'sum', 'max', 'min', 'average', 'percentFilled', 'count'].map((statistic) => ({
        name: `${statistic} of ${name}`,
        path: `${table}/aggregation`,
        query: { ...id, [`field[${statistic}]`]: [fieldId] },
      })),
      { name: `field ${name}`, path: `${table}/field/${fieldId}` },
      { name: `only ${name}`, path: record, query: { ...id, projection: [fieldId] } },
      ...listing(`pages by ${name}`, { take: 1, orderBy: JSON.stringify([{ fieldId, order: 'asc' }]) }),
    ]),
    ...guesses.flatMap((guess) => [
      ...['Name', 'Secret', 'Masked'].flatMap((name) =>
        ['is', 'contains', 'isNot', 'doesNotContain'].flatMap((operator) =>
          listing(`${name} ${operator} ${guess}`, { filter: filter(at[name], operator, guess) }),
        ),
      ),
      ...listing(`search ${guess}`, { search: [guess, '', 'true'] }),
      {
        name: `places of ${guess}`,
        path: `${table}/aggregation/search-index`,
        query: { ...id, take: 10, search: [guess, '', 'true'] },
      },
      {
        name: `hits of ${guess}`,
        path: `${table}/aggregation/search-count`,
        query: { ...id, search: [guess, '', 'true'] },
      },
      {
        name: `candidates ${guess}`,
        path: `/table/${tableId}/record`,
        query: { ...id, search: [guess, '', 'true'], filterLinkCellCandidate: at['Person'] },
      },
      update(`link by title ${guess}`, { fields: cell('Person', guess) }, { typecast: true }),
      update(`made on ${guess}`, { fields: cell('Masked', 'x'), before: cell('Masked', guess) }),
      update(`hidden made on ${guess}`, { fields: cell('Secret', 'x'), before: cell('Secret', guess) }),
      update(`choice ${guess}`, { fields: cell('Kind', guess) }),
      {
        name: `upsert by masked ${guess}`,
        method: 'POST',
        path: `${record}/upsert`,
        body: {
          ...id,
          matchFields: [at['Masked']],
          records: [{ fields: { ...cell('Masked', guess), ...cell('Cost', 1) } }],
        },
      },
      {
        name: `upsert by secret ${guess}`,
        method: 'POST',
        path: `${record}/upsert`,
        body: { ...id, matchFields: [at['Secret']], records: [{ fields: cell('Secret', guess) }] },
      },
      {
        name: `create kind ${guess}`,
        method: 'POST',
        path: record,
        body: { ...id, records: [{ fields: cell('Kind', guess) }] },
      },
    ]),
    ...[5, 11, 22, 990_011].flatMap((amount) =>
      ['Cost', 'Twice', 'Wages', 'Amount'].flatMap((name) =>
        ['is', 'isGreater', 'isLess'].flatMap((operator) =>
          listing(`${name} ${operator} ${amount}`, { filter: filter(at[name], operator, amount) }),
        ),
      ),
    ),
    ...[hidden, 'recNoneNoneNoneNon1'].flatMap((recordId): Attempt[] => [
      { name: `record ${recordId}`, path: `${record}/${recordId}` },
      { name: `history ${recordId}`, path: `${record}/${recordId}/history` },
      { name: `comments ${recordId}`, path: `/comment/${tableId}/${recordId}/list` },
      { name: `comments counted ${recordId}`, path: `/comment/${tableId}/${recordId}/count` },
      { name: `place ${recordId}`, path: `${table}/aggregation/record-index`, query: { ...id, recordId } },
      {
        name: `change ${recordId}`,
        method: 'PATCH',
        path: `${record}/${recordId}`,
        body: { ...id, record: { fields: cell('Name', 'x') } },
      },
      {
        name: `change at a version ${recordId}`,
        method: 'PATCH',
        path: `${record}/${recordId}`,
        body: { ...id, record: { fields: cell('Name', 'x') } },
        headers: { 'if-match': '"7"' },
      },
      ...[1, 2, 3, 4, 5, 6, 8].map((version) => ({
        name: `change at version ${version} ${recordId}`,
        method: 'PATCH',
        path: `${record}/${recordId}`,
        body: { ...id, record: { fields: cell('Name', 'x') } },
        headers: { 'if-match': `"${version}"` },
      })),
      { name: `delete ${recordId}`, method: 'DELETE', path: `${record}/${recordId}` },
      { name: `duplicate ${recordId}`, method: 'POST', path: `${record}/${recordId}/duplicate` },
      {
        name: `beside ${recordId}`,
        method: 'POST',
        path: record,
        body: {
          ...id,
          records: [{ fields: cell('Amount', 'not a number') }],
          order: { viewId: views.own, anchorId: recordId, position: 'after' },
        },
      },
      { name: `status ${recordId}`, path: `${record}/${recordId}/status` },
    ]),
    update('a masked cell', { fields: cell('Masked', 'x') }),
    update('a hidden cell', { fields: cell('Secret', 'x') }),
    update('a hidden cell to nothing', { fields: cell('Masked', null) }),
    update('a link to a hidden person', { fields: cell('Person', [{ id: hiddenPerson }]) }),
    update('a computed cell', { fields: cell('Twice', 22) }),
    ...[views.own, views.filtered].flatMap((viewId): Attempt[] => [
      { name: `view ${viewId}`, path: `${table}/view/${viewId}` },
      ...listing(`view ${viewId}`, { viewId }),
      {
        name: `copied ${viewId}`,
        path: `${table}/selection/copy`,
        query: {
          viewId,
          ranges: JSON.stringify([
            [0, 0],
            [20, 20],
          ]),
        },
      },
      {
        name: `ids ${viewId}`,
        path: `${table}/selection/range-to-id`,
        query: {
          viewId,
          returnType: 'all',
          ranges: JSON.stringify([
            [0, 0],
            [20, 20],
          ]),
        },
      },
      { name: `export ${viewId}`, path: `/export/${tableId}`, query: { viewId } },
      { name: `footers ${viewId}`, path: `${table}/aggregation`, query: { viewId } },
      {
        name: `filter ${viewId}`,
        method: 'PUT',
        path: `${table}/view/${viewId}/filter`,
        body: { filter: JSON.parse(filter(at['Secret'], 'is', 'x')) },
      },
    ]),
    { name: 'views', path: `${table}/view` },
    { name: 'fields', path: `${table}/field` },
    { name: 'export', path: `/export/${tableId}`, query: { format: 'jsonl' } },
    { name: 'history', path: `${record}/history` },
    { name: 'trash', path: '/trash/items', query: { resourceType: 'table', resourceId: tableId } },
    { name: 'comments of a page', path: `/comment/${tableId}/count` },
    { name: 'tables', path: `/base/${shop.baseId}/table` },
    { name: 'nodes', path: `/base/${shop.baseId}/node/list` },
    { name: 'jobs', path: `/base/${shop.baseId}/job` },
    { name: 'roles', path: `/base/${shop.baseId}/authority-matrix-role` },
    { name: 'matrix', path: `/base/${shop.baseId}/authority-matrix` },
    { name: 'query', path: `/base/${shop.baseId}/query`, query: { query: JSON.stringify({ from: tableId }) } },
    { name: 'vault', path: `/table/${otherId}/record` },
    { name: 'vault counted', path: `/table/${otherId}/aggregation/row-count` },
    {
      name: 'formula',
      method: 'POST',
      path: `${table}/field`,
      body: { type: 'formula', options: { expression: `{${at['Secret']}}` } },
    },
    {
      name: 'plan of a formula',
      method: 'POST',
      path: `${table}/field/plan`,
      body: { type: 'formula', options: { expression: `{${at['Secret']}}` } },
    },
    {
      name: 'conversion',
      method: 'PUT',
      path: `${table}/field/${at['Name']}/convert`,
      body: { type: 'formula', options: { expression: `{${at['Secret']}}` } },
    },
    {
      name: 'copy of the table',
      method: 'POST',
      path: `/base/${shop.baseId}/table/${tableId}/duplicate`,
      body: { includeRecords: true },
    },
    {
      name: 'copy of the base',
      method: 'POST',
      path: '/base/duplicate',
      body: { fromBaseId: shop.baseId, spaceId: shop.spaceId, withRecords: true },
    },
    { name: 'share of a view', method: 'POST', path: `${table}/view/${views.own}/enable-share` },
    {
      name: 'webhook',
      method: 'POST',
      path: `/base/${shop.baseId}/webhook`,
      body: { name: 'x', url: 'http://127.0.0.1:9/', events: ['record.updated'] },
    },
    { name: 'notifications', path: '/notifications', query: { notifyStates: 'unread' } },
    { name: 'audit', path: `/space/${shop.spaceId}/audit` },
    { name: 'one', path: `${record}/${one}`, query: id },
    { name: 'two', path: `${record}/${two}`, query: id },
    { name: 'shared', path: share },
    { name: 'shared records', path: `${share}/records` },
    { name: 'shared count', path: `${share}/row-count` },
  ];
};

/** Through a share, to those who have its address: it shows all fields, so only what its filter hides is a secret there. */
const shared = ({ shareId, at, hidden }: AttackGround): Attempt[] => {
  const share = `/share/${shareId}/view`;
  const name = at['Name'] as string;
  const filter = (value: string) =>
    JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: name, operator: 'contains', value }] });
  return [
    {
      name: 'records by name',
      path: `${share}/records`,
      query: { projection: [name], fieldKeyType: 'id', orderBy: JSON.stringify([{ fieldId: name, order: 'asc' }]) },
    },
    { name: 'count', path: `${share}/row-count` },
    {
      name: 'groups',
      path: `${share}/group-points`,
      query: { groupBy: JSON.stringify([{ fieldId: name, order: 'asc' }]) },
    },
    ...guesses.flatMap((guess): Attempt[] => [
      { name: `count ${guess}`, path: `${share}/row-count`, query: { filter: filter(guess) } },
      { name: `hits of ${guess}`, path: `${share}/search-count`, query: { search: [guess, name, 'true'] } },
    ]),
    { name: 'documents', path: `${share}/socket/record/snapshot-bulk`, query: { ids: [hidden] } },
  ];
};

const send = async (baseUrl: string, token: string | undefined, attempt: Attempt): Promise<string> => {
  const { method = 'GET', path, query = {}, body, headers = {} } = attempt;
  const address = new URL(baseUrl + path);
  for (const [key, value] of Object.entries(query))
    for (const part of [value].flat()) address.searchParams.append(key, String(part));
  const answer = await leanFetch(address.href, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const told = ['content-length', 'link', 'x-total-count', 'etag'].map((name) => answer.headers.get(name) ?? '');
  const text = answer.text
    .replaceAll(/"requestId":"[^"]*"/g, '')
    .replaceAll(/\b(rec|opr|fld|viw)[A-Za-z0-9]{16}\b/g, '$1…')
    .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/"(version|autoNumber)":\d+/g, '"$1":n');
  return `${answer.status} ${told.slice(1).join(' ')} ${text}`;
};

interface Attacked {
  attempts: number;
  failures: string[];
}

/** As the bound member, with a narrow token of theirs, and as somebody who has the address of the share. `share`: how much of the attempts, drawn. */
export const attack = async (
  ground: AttackGround,
  baseUrl: string,
  credentials: readonly { token: string | undefined; label: string; onlyReads?: true }[],
  random: Random,
  share = 1,
): Promise<Attacked> => {
  const found = new Map<string, string>();
  const drawn = (all: readonly Attempt[]): Set<string> =>
    new Set(random.shuffled(all.map(({ name }) => name)).slice(0, Math.ceil(all.length * share)));
  const [ofMembers, ofVisitors] = [drawn(attempts(ground)), drawn(shared(ground))];
  const result: Attacked = { attempts: 0, failures: [] };
  for (const secret of secrets) {
    await ground.put(secret);
    for (const { token, label, onlyReads } of credentials) {
      const all =
        token === undefined
          ? shared(ground).filter(({ name }) => ofVisitors.has(name))
          : attempts(ground).filter(({ name }) => ofMembers.has(name));
      // In any order: what one leaves behind is not to hide what the next one would see. What changes something comes last.
      const ordered = [
        ...random.shuffled(all.filter(({ method = 'GET' }) => method === 'GET')),
        ...(onlyReads === true ? [] : all.filter(({ method = 'GET' }) => method !== 'GET')),
      ];
      for (const attempt of ordered) {
        const key = `${label}: ${attempt.name}`;
        const text = await send(baseUrl, token, attempt);
        result.attempts += 1;
        const asked = JSON.stringify(attempt);
        const shown = secrets.find((one) => text.includes(one.text) && !asked.includes(one.text));
        if (shown !== undefined) result.failures.push(`${key} shows ${shown.text}: ${text.slice(0, 600)}`);
        if (text.startsWith('5')) result.failures.push(`${key} answers ${text.slice(0, 200)}`);
        const before = found.get(key);
        if (before !== undefined && before !== text)
          result.failures.push(`${key} tells one secret from another:\n${before.slice(0, 600)}\n${text.slice(0, 600)}`);
        found.set(key, text);
      }
      await ground.clean();
    }
  }
  return result;
};
