// Every way to read a table, compared with the model: no cell more, and none less.
import {
  getAggregation,
  getGroupPoints,
  getRecordIndex,
  getRowCount,
  getSearchCount,
} from '@rowhouse/contract/aggregation.ts';
import { queryBase } from '@rowhouse/contract/base-query.ts';
import { exportCsv } from '@rowhouse/contract/export.ts';
import { listFields } from '@rowhouse/contract/field.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import { listRecordHistory } from '@rowhouse/contract/history.ts';
import { type Asker, matchOf } from '@rowhouse/contract/matches.ts';
import { getRecord, listRecords } from '@rowhouse/contract/record.ts';
import { copyRanges } from '@rowhouse/contract/selection.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '../random.ts';
import { type Estate, type Name, words } from './estate.ts';
import type { Model, ModelField, ModelRecord, ModelTable } from './model.ts';
import type { Reader } from './reader.ts';

interface List {
  records: ModelRecord[];
  extra: { nextCursor: string | null };
}

/** As tests say it, without their library: this runs in the proof, too. */
const demandSame = (found: unknown, wanted: unknown, what: string): void => {
  if (!isDeepStrictEqual(found, wanted))
    throw new Error(
      `${what}: found ${JSON.stringify(found)?.slice(0, 1_500)}, wanted ${JSON.stringify(wanted)?.slice(0, 1_500)}`,
    );
};

const cellsOf = (records: readonly ModelRecord[]): [string, Record<string, unknown>][] =>
  records.map(({ id, fields }) => [id, fields]);

const byKey = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const compareCells = (one: unknown, other: unknown): number => {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
  return typeof one === 'number' ? one - (other as number) : byKey(String(one), String(other));
};

type Order = readonly { fieldId: string; order: 'asc' | 'desc' }[];

/** As the server sorts: empty cells first, or last when it is turned around; then by number. */
const sorted = (records: readonly ModelRecord[], by: Order): string[] =>
  records
    .toSorted((one, other) => {
      for (const { fieldId, order } of by) {
        const compared = compareCells(one.fields[fieldId], other.fields[fieldId]);
        if (compared !== 0) return order === 'asc' ? compared : -compared;
      }
      return one.autoNumber - other.autoNumber;
    })
    .map(({ id }) => id);

const sizes = (records: readonly ModelRecord[], fieldIds: readonly string[]): number[] => {
  const groups = new Map<string, number>();
  for (const { fields } of records) {
    const key = JSON.stringify(fieldIds.map((id) => fields[id] ?? null));
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  return [...groups.values()].toSorted((a, b) => a - b);
};

const isText = (cell: unknown): cell is string => typeof cell === 'string';
const idsIn = (cell: unknown): string[] => [cell ?? []].flat().map((item) => (item as { id: string }).id);

interface Comparing {
  random: Random;
  estate: Estate;
  name: Name;
  reader: Reader;
  model: Model;
  tables: ReadonlyMap<string, ModelTable>;
  asker: Asker;
  tellsFacts: boolean;
}

/** A condition of the request on cells that are seen. */
const drawFilter = (random: Random, { match }: ModelField, me: string) => {
  const item = (operator: string, value: unknown) => ({ fieldId: match.id, operator, value });
  const empty = () => item(random.pick(['isEmpty', 'isNotEmpty']), null);
  switch (kindOf(match)) {
    case 'number':
      return random.once(4) ? empty() : item(random.pick(['is', 'isNot', 'isGreater', 'isLessEqual']), random.below(6));
    case 'text':
      return random.once(4) || match.isMultiple
        ? empty()
        : item(random.pick(['is', 'isNot', 'contains', 'doesNotContain']), random.pick([...words, 'o', '1', 'call2']));
    case 'boolean':
      return item('is', random.once(2));
    case 'person':
      return match.isMultiple || random.once(3) ? empty() : item(random.pick(['is', 'isNot']), random.pick(['Me', me]));
    default:
      return empty();
  }
};

const compareQueries = async (
  { random, estate, reader: { read }, asker }: Comparing,
  list: (query: object) => Promise<List>,
  params: object,
  { expected, fields }: { expected: ModelRecord[]; fields: readonly ModelField[] },
): Promise<void> => {
  const id = { fieldKeyType: 'id' };
  const field = random.pick(fields);
  demandSame(
    cellsOf((await list({ projection: [field.id] })).records),
    expected.map((record) => [record.id, field.id in record.fields ? { [field.id]: record.fields[field.id] } : {}]),
    `only ${field.name}`,
  );
  const matching = new Map(fields.map((one) => [one.id, one.match]));
  for (let at = 0; at < 2; at += 1) {
    const filter = {
      conjunction: random.once(2) ? 'or' : 'and',
      filterSet: Array.from({ length: 1 + random.below(3) }, () =>
        drawFilter(random, random.pick(fields), asker.userId),
      ),
    };
    const met = expected.filter((record) => matchOf(filter as never, matching, record.fields, asker) ?? true);
    const query = { filter: JSON.stringify(filter) };
    const what = JSON.stringify(filter).replaceAll(/fld\w+/g, estate.called);
    demandSame(
      (await list(query)).records.map((record) => record.id),
      met.map((record) => record.id),
      what,
    );
    demandSame(await read(getRowCount, { params, query: { ...id, ...query } }), { rowCount: met.length }, what);
  }
  const simple = fields.filter(
    ({ match, id: fieldId }) =>
      ['text', 'number', 'date'].includes(kindOf(match)) &&
      !match.isMultiple &&
      !expected.some((record) => Array.isArray(record.fields[fieldId])),
  );
  if (simple.length > 0) {
    const by: Order = random
      .shuffled(simple)
      .slice(0, 1 + random.below(2))
      .map(({ id: fieldId }) => ({ fieldId, order: random.once(2) ? 'asc' : 'desc' }));
    const orderBy = JSON.stringify(by);
    const wanted = sorted(expected, by);
    const what = `by ${orderBy.replaceAll(/fld\w+/g, estate.called)}`;
    demandSame(
      (await list({ orderBy })).records.map((record) => record.id),
      wanted,
      what,
    );
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: List = await list({ orderBy, take: 3, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...page.records.map((record) => record.id));
      cursor = page.extra.nextCursor;
    }
    demandSame(paged, wanted, `${what}, by cursor`);
    const last = wanted.at(-1);
    if (last !== undefined)
      demandSame(
        await read(getRecordIndex, { params, query: { ...id, orderBy, recordId: last } }),
        { index: wanted.length - 1 },
        `${what}, place of the last`,
      );
    const [{ fieldId }] = by as [Order[number]];
    const text = expected
      .map((record) => record.fields[fieldId])
      .find(isText)
      ?.slice(0, 3);
    if (text !== undefined) {
      const hits = expected.filter((record) => isText(record.fields[fieldId]) && record.fields[fieldId].includes(text));
      demandSame(
        (await list({ search: [text, fieldId, 'true'] })).records.map((record) => record.id),
        hits.map((record) => record.id),
        `search ${text}`,
      );
      demandSame(
        await read(getSearchCount, { params, query: { ...id, search: [text, fieldId, 'true'] } }),
        { count: hits.length },
        `hits of ${text}`,
      );
    }
  }
  const grouped = random.shuffled(fields).slice(0, 1 + random.below(2));
  const groupBy = JSON.stringify(grouped.map(({ id: fieldId }) => ({ fieldId, order: 'asc' })));
  const points = await read<{ count?: number }[]>(getGroupPoints, { params, query: { ...id, groupBy } });
  demandSame(
    points.flatMap(({ count }) => count ?? []).toSorted((a, b) => a - b),
    sizes(
      expected,
      grouped.map((one) => one.id),
    ),
    `groups of ${grouped.map((one) => one.name).join()}`,
  );
};

const compareFooters = async (
  { reader: { read }, estate }: Comparing,
  params: object,
  { expected, fields }: { expected: ModelRecord[]; fields: readonly ModelField[] },
): Promise<void> => {
  const numbers = fields.filter(({ match }) => kindOf(match) === 'number' && !match.isMultiple);
  const filled = fields.filter(({ match }) => kindOf(match) !== 'boolean');
  if (filled.length === 0) return;
  const found = await read<{ aggregations: { fieldId: string; total: { value: unknown; aggFunc: string } }[] }>(
    getAggregation,
    {
      params,
      query: {
        fieldKeyType: 'id',
        'field[filled]': filled.map((one) => one.id),
        ...(numbers.length === 0 ? {} : { 'field[sum]': numbers.map((one) => one.id) }),
      },
    },
  );
  for (const { fieldId, total } of found.aggregations) {
    const cells = expected.flatMap((record) => (record.fields[fieldId] === undefined ? [] : [record.fields[fieldId]]));
    const wanted =
      total.aggFunc === 'filled'
        ? cells.length
        : cells.length === 0
          ? [0, null]
          : (cells as number[]).reduce((sum, one) => sum + one, 0);
    demandSame(
      Array.isArray(wanted) ? wanted.includes(total.value as never) : total.value,
      Array.isArray(wanted) ? true : wanted,
      `${total.aggFunc} of ${estate.called(fieldId)}`,
    );
  }
  demandSame(found.aggregations.length, filled.length + numbers.length, 'footers');
};

const compareLinks = async (
  { reader: { read }, model, tables, name, estate }: Comparing,
  { expected, fields }: { expected: ModelRecord[]; fields: readonly ModelField[] },
): Promise<void> => {
  for (const field of fields) {
    const { origin } = field;
    if (origin.kind !== 'link') continue;
    const params = { tableId: origin.to };
    const seen = model.records(origin.to).map(({ id }) => id);
    const ask = async (query: object): Promise<string[]> =>
      (await read<List>(listRecords, { params, query })).records.map(({ id }) => id);
    // Those of a list at the other end are linked only once.
    if (/Client$|Owner|Helpers/.test(`${name}.${field.name}`))
      demandSame(await ask({ filterLinkCellCandidate: [field.id] }), seen, `candidates of ${field.name}`);
    const [record] = expected;
    if (record === undefined) continue;
    const linked = idsIn(record.fields[field.id]);
    demandSame(
      (await ask({ filterLinkCellSelected: [field.id, record.id] })).toSorted(byKey),
      linked.toSorted(byKey),
      `chosen in ${field.name} of ${estate.called(field.id)}`,
    );
    demandSame(
      linked.every((id) => (tables.get(origin.to) as ModelTable).records.some((one) => one.id === id)),
      true,
      'linked records are there',
    );
  }
};

const compareHistory = async (
  { reader: { read }, model, tables, estate, tellsFacts }: Comparing,
  tableId: string,
  fields: readonly ModelField[],
  one: ModelRecord,
): Promise<void> => {
  if (!tellsFacts) return;
  const query = { includeCreated: true, take: 1_000 };
  const params = { tableId, recordId: one.id };
  type Path = { historyList: { fieldId: string; id: string }[] };
  const entries = ({ historyList }: Path) => historyList.map((entry) => `${entry.fieldId} ${entry.id}`);
  const all = await estate.shop.owner.call(listRecordHistory, { params, query: query as never });
  const record = (tables.get(tableId) as ModelTable).records.find(({ id }) => id === one.id) as ModelRecord;
  const told = (all.body as Path).historyList.filter(({ fieldId }) => {
    const shown = fields.find(({ id }) => id === fieldId);
    return shown !== undefined && model.tellsHistory(tableId, shown, record);
  });
  demandSame(
    entries(await read<Path>(listRecordHistory, { params, query })),
    entries({ historyList: told }),
    `history of ${one.id}`,
  );
};

const compareFiles = async (
  { reader: { read, text }, estate }: Comparing,
  list: (query: object) => Promise<List>,
  params: object,
  { expected, fields }: { expected: ModelRecord[]; fields: readonly ModelField[] },
): Promise<void> => {
  const lines = (await text(exportCsv, { params, query: { format: 'jsonl' } })).split('\n').filter((one) => one !== '');
  demandSame(
    lines.map((line) => JSON.parse(line) as unknown),
    expected.map((record) =>
      Object.fromEntries(Object.entries(record.fields).map(([key, cell]) => [estate.called(key), cell])),
    ),
    'export',
  );
  if (expected.length === 0) return;
  const ranges = JSON.stringify([
    [0, 0],
    [fields.length - 1, expected.length - 1],
  ]);
  const { records: texts } = await list({ cellFormat: 'text' });
  const { content, header } = await read<{ content: string; header: { id: string }[] }>(copyRanges, {
    params,
    query: { ranges },
  });
  demandSame(
    content.trimEnd(),
    texts
      .map((record) => header.map((shown) => record.fields[shown.id] ?? '').join('\t'))
      .join('\n')
      .trimEnd(),
    'copied cells',
  );
};

export const compareTable = async (comparing: Comparing): Promise<void> => {
  const { random, estate, name, reader, model } = comparing;
  const { read, get } = reader;
  const tableId = estate.ids[name];
  const params = { tableId };
  const id = { fieldKeyType: 'id' };
  const list = (query: object): Promise<List> =>
    read<List>(listRecords, { params, query: { ...id, take: 1_000, ...query } });
  if (!model.isThere(tableId)) {
    for (const endpoint of [listRecords, getRowCount, listFields])
      demandSame((await get(endpoint, { params, query: {} })).status, 404, endpoint.name);
    return;
  }
  const [expected, fields] = [model.records(tableId), model.fields(tableId)];
  demandSame(
    (await read<{ id: string }[]>(listFields, { params, query: {} })).map((field) => field.id),
    fields.map((field) => field.id),
    'fields',
  );
  demandSame(cellsOf((await list({})).records), cellsOf(expected), 'records');
  demandSame(await read(getRowCount, { params, query: {} }), { rowCount: expected.length }, 'count');
  const one = expected.length === 0 ? undefined : random.pick(expected);
  if (one !== undefined) {
    const shown = await read<ModelRecord>(getRecord, { params: { tableId, recordId: one.id }, query: id });
    demandSame([shown.id, shown.fields], [one.id, one.fields], 'one record');
    if (fields.length > 0) await compareHistory(comparing, tableId, fields, one);
  }
  const hidden = (comparing.tables.get(tableId) as ModelTable).records.find(
    (record) => !expected.some((seen) => seen.id === record.id),
  );
  if (hidden !== undefined)
    demandSame((await get(getRecord, { params: { tableId, recordId: hidden.id }, query: id })).status, 404, 'hidden');
  const query = JSON.stringify({ from: tableId });
  demandSame(
    (await get(queryBase, { params: { baseId: estate.shop.baseId }, query: { query } })).status,
    403,
    'base query',
  );
  if (fields.length === 0) return;
  const seen = { expected, fields };
  await compareQueries(comparing, list, params, seen);
  await compareFooters(comparing, params, seen);
  await compareLinks(comparing, seen);
  await compareFiles(comparing, list, params, seen);
};
