// Round trips: one text is given to everything that has a name, a description or a value, and read back in every way.
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './listen.ts';
import type { Person } from './people.ts';
import { newBase, newSpace } from './workspace.ts';
import type { World } from './world.ts';

type Json = any;

interface Api {
  (method: string, path: string, body?: unknown): Promise<Json>;
}

class Refused extends Error {}

const apiOf =
  ({ baseUrl }: World, { token }: Person): Api =>
  async (method, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Refused(`${method} ${path.slice(0, 200)} answered ${response.status} ${text.slice(0, 300)}`);
    return text === '' ? undefined : JSON.parse(text);
  };

interface Check {
  same: (what: string, found: unknown, wanted: unknown) => void;
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value) && typeof value[0] !== 'object';

const query = (parameters: Record<string, unknown>): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (isList(value)) for (const item of value) search.append(`${key}[]`, String(item));
    else search.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return search.toString();
};

/** Own keys only, and such as `__proto__` among them. */
const object = (...entries: [string, unknown][]): Record<string, unknown> => Object.fromEntries(entries);

/** As cells of a single line keep it: a line break is a space. */
const lineOf = (text: string): string => text.replace(/[\r\n\t]+/g, ' ').trim();

const within = async <T>(what: string, work: Promise<T>): Promise<T> => {
  const late = new AbortController();
  const never = sleep(15_000, undefined, { signal: late.signal }).then(() =>
    Promise.reject(new Error(`${what} took more than 15 s`)),
  );
  never.catch(() => undefined);
  return Promise.race([work, never]).finally(() => late.abort());
};

const tryAccount = async (api: Api, text: string, { same }: Check): Promise<void> => {
  await api('PATCH', '/user/name', { name: text });
  same('the name of a user', (await api('GET', '/auth/user/me')).name, text);
  const token = await api('POST', '/access-token', {
    name: text,
    description: text,
    scopes: ['user|email_read'],
    expiredTime: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const readToken = await api('GET', `/access-token/${token.id}`);
  same('name and description of a token', [readToken.name, readToken.description], [text, text]);
  await api('DELETE', `/access-token/${token.id}`);
  const client = await api('POST', '/oauth/client', {
    name: text,
    description: text,
    homepage: 'https://app.example.com',
    redirectUris: ['https://app.example.com/x'],
    scopes: ['record|read'],
  });
  const readClient = await api('GET', `/oauth/client/${client.clientId}`);
  same('name and description of an application', [readClient.name, readClient.description], [text, text]);
  await api('DELETE', `/oauth/client/${client.clientId}`);
};

const trySpace = async (api: Api, text: string, { same }: Check): Promise<void> => {
  const space = await api('POST', '/space', { name: text });
  same('the name of a space', (await api('GET', `/space/${space.id}`)).name, text);
  await api('PATCH', `/space/${space.id}/billing/detail`, { name: text });
  same('the name on the bill', (await api('GET', `/space/${space.id}/billing`)).detail.name, text);
  const base = await api('POST', '/base', { spaceId: space.id, name: text });
  same('the name of a base', (await api('GET', `/base/${base.id}`)).name, text);
  const copy = await api('POST', '/base/duplicate', { fromBaseId: base.id, spaceId: space.id, name: `${text}!` });
  same('the name of a copy', (await api('GET', `/base/${copy.id}`)).name, `${text}!`);
  await api('DELETE', `/base/${base.id}`);
  const trash = await api('GET', '/trash?resourceType=base');
  same('the name of a base in the trash', JSON.stringify(trash).includes(JSON.stringify(text)), true);
  await api('DELETE', `/space/${space.id}`);
};

const tryRecords = async (api: Api, tableId: string, text: string, { same }: Check): Promise<void> => {
  const list = (parameters: Record<string, unknown>): Promise<Json> =>
    api('GET', `/table/${tableId}/record?${query({ fieldKeyType: 'name', ...parameters })}`);
  const found = async (filter: unknown): Promise<number> =>
    (await list({ filter: { conjunction: 'and', filterSet: [filter] } })).records.length;
  const line = lineOf(text);
  const [first, second] = (await list({})).records;
  same(
    'cells keyed by name',
    [
      Object.hasOwn(first.fields, text) ? first.fields[text] : undefined,
      first.fields.Choice,
      first.fields.Tags,
      first.fields.Notes,
    ],
    [line, text, [text], `${text}\n${text}`.trim()],
  );
  same('cells as text', (await list({ cellFormat: 'text' })).records[0].fields.Choice, text);
  same(
    'one record, keyed by name',
    (await api('GET', `/table/${tableId}/record/${first.id}?${query({ fieldKeyType: 'name', projection: [text] })}`))
      .fields,
    object([text, line]),
  );
  same('filter is', await found({ fieldId: text, operator: 'is', value: line }), 1);
  same('filter contains', await found({ fieldId: text, operator: 'contains', value: line }), 1);
  same('filter does not contain', await found({ fieldId: text, operator: 'doesNotContain', value: line }), 1);
  same('filter any of', await found({ fieldId: 'Choice', operator: 'isAnyOf', value: [text] }), 1);
  same('filter has all of', await found({ fieldId: 'Tags', operator: 'hasAllOf', value: [text] }), 1);
  same(
    'sort',
    (
      await list({
        orderBy: [
          { fieldId: text, order: 'asc' },
          { fieldId: 'Choice', order: 'desc' },
        ],
      })
    ).records.length,
    2,
  );
  const grouped = await list({ groupBy: [{ fieldId: 'Choice', order: 'asc' }] });
  same(
    'group',
    grouped.extra.groupPoints
      .filter((point: Json) => point.type === 0)
      .map((point: Json) => point.value)
      .includes(text),
    true,
  );
  same(
    'search',
    (await list({ search: [line, '', 'true'] })).records.map((record: Json) => record.id),
    [first.id],
  );
  same(
    'search in a field named so',
    (await list({ search: [line, text, 'true'] })).records.map((record: Json) => record.id),
    [first.id],
  );
  if (line === text)
    same(
      'search count',
      (await api('GET', `/table/${tableId}/aggregation/search-count?${query({ search: [text, '', 'true'] })}`)).count,
      4,
    );
  same(
    'statistics',
    (await api('GET', `/table/${tableId}/aggregation?${query({ fieldKeyType: 'name', 'field[unique]': [text] })}`))
      .aggregations[0]?.total?.value,
    2,
  );
  const page = await list({ take: 1, orderBy: [{ fieldId: text, order: 'asc' }] });
  same(
    'the next page',
    (await list({ take: 1, orderBy: [{ fieldId: text, order: 'asc' }], cursor: page.extra.nextCursor })).records.map(
      (record: Json) => record.id,
    ),
    [page.records[0].id === first.id ? second.id : first.id],
  );
  const updated = await api('PATCH', `/table/${tableId}/record/${first.id}`, {
    fieldKeyType: 'name',
    record: { fields: object([text, `${text}!`]) },
  });
  same('an update', updated.fields[text], lineOf(`${text}!`));
  const { historyList } = await api('GET', `/table/${tableId}/record/${first.id}/history`);
  same(
    'history',
    [historyList[0].before.data, historyList[0].after.data, historyList[0].before.meta.name],
    [line, lineOf(`${text}!`), text],
  );
  const choice = `${text}?`;
  const cast = await api('POST', `/table/${tableId}/record`, {
    fieldKeyType: 'name',
    typecast: true,
    records: [{ fields: { Choice: choice } }],
  });
  same('a choice made by typecast', cast.records[0].fields.Choice, choice);
};

const tryTable = async (
  world: World,
  owner: Person,
  api: Api,
  baseId: string,
  text: string,
  { same }: Check,
): Promise<void> => {
  const choices = [{ name: text }, { name: 'zzz' }];
  const table = await api('POST', `/base/${baseId}/table`, {
    name: text,
    description: text,
    fields: [
      { type: 'singleLineText', name: text, description: text },
      { type: 'singleSelect', name: 'Choice', options: { choices } },
      { type: 'multipleSelect', name: 'Tags', options: { choices } },
      { type: 'longText', name: 'Notes' },
    ],
    views: [
      { type: 'grid', name: text, description: text },
      { type: 'form', name: 'Form', options: { submitLabel: text } },
    ],
    records: [
      { fields: object([text, text], ['Choice', text], ['Tags', [text]], ['Notes', `${text}\n${text}`]) },
      { fields: object([text, 'plain'], ['Choice', 'zzz']) },
    ],
  });
  const path = `/base/${baseId}/table/${table.id}`;
  const read = await api('GET', path);
  same('name and description of a table', [read.name, read.description], [text, text]);
  const fields = await api('GET', `/table/${table.id}/field`);
  same(
    'name, description and choices of fields',
    [fields[0].name, fields[0].description, fields[1].options.choices[0].name],
    [text, text, text],
  );
  const views = await api('GET', `/table/${table.id}/view`);
  same(
    'name, description and options of views',
    [views[0].name, views[0].description, views[1].options.submitLabel],
    [text, text, text],
  );
  const ear = await listen(`${world.baseUrl}/table/${table.id}/events?values=true`, { token: owner.token });
  await tryRecords(api, table.id, text, { same });
  await within(
    'the event',
    ear.until(
      ({ name, data }) =>
        name === 'records.updated' && JSON.stringify(data).includes(JSON.stringify(lineOf(`${text}!`))),
    ),
  );
  ear.close();
  await api('PUT', `/table/${table.id}/view/${views[0].id}/filter`, {
    filter: { conjunction: 'and', filterSet: [{ fieldId: fields[0].id, operator: 'is', value: text }] },
  });
  same(
    'the filter of a view',
    (await api('GET', `/table/${table.id}/view/${views[0].id}`)).filter.filterSet[0].value,
    text,
  );
  await api('GET', `/table/${table.id}/record?viewId=${views[0].id}`);
  const field = await api('POST', `/table/${table.id}/field/${fields[0].id}/duplicate`, { name: `${text} too` });
  same('the name of a copied field', field.name, `${text} too`);
  await api('PUT', `/table/${table.id}/field/${fields[1].id}/convert`, { type: 'longText' });
  const converted = await api('GET', `/table/${table.id}/record?${query({ fieldKeyType: 'name', take: 1 })}`);
  same('a choice converted to text', converted.records[0].fields.Choice, text.trim());
  const copy = await api('POST', `${path}/duplicate`, { name: `${text} again`, includeRecords: true });
  same('the name of a copied table', (await api('GET', `/base/${baseId}/table/${copy.id}`)).name, `${text} again`);
  await api('DELETE', path);
  const items = await api('GET', `/trash/items?${query({ resourceType: 'base', resourceId: baseId })}`);
  same('the name of a table in the trash', JSON.stringify(items).includes(JSON.stringify(text)), true);
  await api('POST', `/trash/restore/tra${table.id.slice(3)}`);
  same('the name of a table that came back', (await api('GET', path)).name, text);
  await api('DELETE', path);
};

/** Where text is short or must have a form, it may be refused, but not by a fault. */
const tryOptions = async (api: Api, tableId: string, text: string, { same }: Check): Promise<void> => {
  for (const options of [
    { type: 'number', options: { formatting: { type: 'currency', precision: 2, symbol: text } } },
    { type: 'number', options: { showAs: object([text, text]) } },
    { type: 'date', options: { formatting: { date: text, time: 'None', timeZone: 'UTC' } } },
    { type: 'date', options: { formatting: { date: 'YYYY', time: 'None', timeZone: text } } },
    { type: 'singleSelect', options: { choices: [{ id: text, name: 'x' }], defaultValue: text } },
    { type: 'rating', options: { icon: text, max: 5 } },
  ]) {
    const field = await api('POST', `/table/${tableId}/field`, options).catch((error: unknown) => {
      if (error instanceof Refused && / answered 400 /.test(error.message)) return undefined;
      throw error;
    });
    if (field === undefined) continue;
    const value = { number: 5, date: '2024-05-06T07:08:09.000Z', singleSelect: 'x', rating: 3 }[
      options.type
    ] as unknown;
    const made = await api('POST', `/table/${tableId}/record`, {
      fieldKeyType: 'id',
      records: [{ fields: { [field.id]: value } }],
    });
    const shown = await api(
      'GET',
      `/table/${tableId}/record/${made.records[0].id}?${query({ fieldKeyType: 'id', cellFormat: 'text' })}`,
    );
    if (options.type === 'number' && 'formatting' in options.options)
      same('a currency', shown.fields[field.id], `${text}5.00`);
    await api(
      'GET',
      `/table/${tableId}/record?${query({ search: [text, field.id, 'true'], orderBy: [{ fieldId: field.id, order: 'asc' }], groupBy: [{ fieldId: field.id, order: 'asc' }] })}`,
    );
    await api('DELETE', `/table/${tableId}/field/${field.id}`);
  }
};

interface RoundTrips {
  /** Gives one text to everything, and answers how many round trips there were. */
  tryText: (text: string) => Promise<{ trips: number; failures: string[] }>;
}

export const openRoundTrips = async (world: World, owner: Person): Promise<RoundTrips> => {
  const api = apiOf(world, owner);
  const baseId = await newBase(owner, await newSpace(owner, 'Round trips'));
  const table = await api('POST', `/base/${baseId}/table`, { name: 'Options', records: [] });
  return {
    async tryText(text) {
      const failures: string[] = [];
      let trips = 0;
      const same: Check['same'] = (what, found, wanted) => {
        trips += 1;
        if (JSON.stringify(found) !== JSON.stringify(wanted))
          failures.push(
            `${what} with ${JSON.stringify(text)}: ${JSON.stringify(found)?.slice(0, 300)} instead of ${JSON.stringify(wanted)}`,
          );
      };
      const attempt = (what: string, work: Promise<void>): Promise<void> =>
        work.catch((error: unknown) => void failures.push(`${what} with ${JSON.stringify(text)}: ${String(error)}`));
      await attempt('an account', tryAccount(api, text, { same }));
      await attempt('a space', trySpace(api, text, { same }));
      await attempt('a table', tryTable(world, owner, api, baseId, text, { same }));
      await attempt('options', tryOptions(api, table.id, text, { same }));
      return { trips, failures };
    },
  };
};
