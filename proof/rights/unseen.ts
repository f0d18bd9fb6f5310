// What a member does not see can change without a letter of what they read being another one: hidden cells, hidden records, edges between hidden records. Not what conditions rest on:
// these tell what their maker let them tell. Where facts of records are told, when and how often a record changed is no secret.
import { getAggregation, getGroupPoints, getRowCount, getSearchIndex } from '@rowhouse/contract/aggregation.ts';
import { countCommentsByQuery } from '@rowhouse/contract/comment.ts';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { exportCsv } from '@rowhouse/contract/export.ts';
import { kindOf, listFields } from '@rowhouse/contract/field.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { listRecordHistory, listTableHistory } from '@rowhouse/contract/history.ts';
import { deleteRecord, getRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { copyRanges } from '@rowhouse/contract/selection.ts';
import { listTables } from '@rowhouse/contract/table.ts';
import { listTrashItems } from '@rowhouse/contract/trash.ts';
import { listViews } from '@rowhouse/contract/view.ts';
import { setRoles } from '../../test/support/matrix.ts';
import type { Person } from '../../test/support/people.ts';
import { type Random, randomFrom } from '../random.ts';
import { describeRules, drawRules, type RuleSet } from './draw.ts';
import { type Estate, make, type Name, names } from './estate.ts';
import { createModel, type Model, type ModelField, type ModelRecord, type ModelTable } from './model.ts';
import { type Reader, readerAt } from './reader.ts';

type Tables = ReadonlyMap<string, ModelTable>;

const named = ({ filterSet }: FilterGroup): string[] =>
  filterSet.flatMap((item) => ('filterSet' in item ? named(item) : [item.fieldId]));

/** Fields that conditions look at, and all that these come from. */
const restedOn = ({ granted }: RuleSet, tables: Tables): ReadonlySet<string> => {
  const origins = new Map([...tables.values()].flatMap(({ fields }) => fields.map(({ id, origin }) => [id, origin])));
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    const origin = origins.get(id);
    if (origin?.kind === 'formula') origin.of.forEach(visit);
    if (origin?.kind === 'lookup') [...origin.of, ...(origin.host ?? []), ...(origin.by ?? [])].forEach(visit);
  };
  for (const grants of granted.values())
    for (const { when } of grants) if (typeof when === 'object' && 'filter' in when) named(when.filter).forEach(visit);
  // A link has two ends, and a change of either decides about a rollup: of all links between the two tables, as they are not told apart here.
  const ends = new Set(
    [...tables].flatMap(([tableId, { fields }]) =>
      fields.flatMap(({ id, origin }) =>
        origin.kind === 'lookup' && origin.by !== undefined && found.has(id)
          ? [`${tableId} ${origin.to}`, `${origin.to} ${tableId}`]
          : [],
      ),
    ),
  );
  for (const [tableId, { fields }] of tables)
    for (const { id, origin } of fields)
      if (origin.kind === 'link' && ends.has(`${tableId} ${origin.to}`)) found.add(id);
  return found;
};

const unhidden = new Set(['lastModifiedTime', 'lastModifiedBy', 'version']);
const withoutFacts = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutFacts)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, one]) => (unhidden.has(key) ? [] : [[key, withoutFacts(one)]])),
        )
      : value;

const comparable = (text: string): string => {
  try {
    return JSON.stringify(withoutFacts(JSON.parse(text)));
  } catch {
    return text;
  }
};

/** Everything that they can ask, by what it is. */
const readAll = async (
  { get }: Reader,
  { ids, shop }: Estate,
  model: Model,
  tellsFacts: boolean,
): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  const ask = async (what: string, endpoint: Declaration, request: object): Promise<void> => {
    const { status, text } = await get(endpoint, request);
    const shown = status < 400 ? text : text.replace(/"requestId":"[^"]*"/, '');
    found.set(`${endpoint.name} ${what}`, `${status} ${tellsFacts ? comparable(shown) : shown}`);
  };
  await ask('', listTables, { params: { baseId: shop.baseId } });
  for (const name of names) {
    const tableId = ids[name];
    const params = { tableId };
    const fields = model.isThere(tableId) ? model.fields(tableId) : [];
    const records = model.isThere(tableId) ? model.records(tableId) : [];
    await ask(name, listFields, { params, query: {} });
    await ask(name, listViews, { params });
    await ask(name, listRecords, { params, query: { take: 1_000 } });
    await ask(`${name} as text`, listRecords, { params, query: { take: 1_000, cellFormat: 'text' } });
    await ask(name, getRowCount, { params, query: {} });
    await ask(name, exportCsv, { params, query: {} });
    await ask(name, countCommentsByQuery, { params, query: {} });
    await ask(`${name} for o`, getSearchIndex, { params, query: { take: 100, search: ['o', '', 'true'] } });
    await ask(name, listTrashItems, { query: { resourceType: 'table', resourceId: tableId } });
    if (tellsFacts) await ask(name, listTableHistory, { params, query: { take: 1_000 } });
    const [one] = records;
    if (one !== undefined) {
      await ask(name, getRecord, { params: { tableId, recordId: one.id }, query: {} });
      if (tellsFacts)
        await ask(name, listRecordHistory, { params: { tableId, recordId: one.id }, query: { includeCreated: true } });
    }
    if (fields.length === 0) continue;
    const ranges = JSON.stringify([
      [0, 0],
      [fields.length, 50],
    ]);
    await ask(name, copyRanges, { params, query: { ranges } });
    const counted = fields.flatMap(({ id, match }) => (kindOf(match) === 'boolean' ? [] : [id]));
    const statistics = {
      ...(counted.length === 0 ? {} : { 'field[filled]': counted, 'field[empty]': counted }),
      'field[unique]': fields.flatMap(({ id, origin }) => (origin.kind === 'link' ? [] : [id])),
    };
    await ask(name, getAggregation, { params, query: { fieldKeyType: 'id', ...statistics } });
    for (const field of fields) {
      const order = JSON.stringify([{ fieldId: field.id, order: 'desc' }]);
      await ask(`${name} by ${field.name}`, listRecords, { params, query: { fieldKeyType: 'id', orderBy: order } });
      await ask(`${name} by ${field.name}`, getGroupPoints, { params, query: { fieldKeyType: 'id', groupBy: order } });
      if (field.origin.kind === 'link' && model.isThere(field.origin.to))
        await ask(`${name} ${field.name} candidates`, listRecords, {
          params: { tableId: field.origin.to },
          query: { filterLinkCellCandidate: [field.id] },
        });
    }
  }
  return found;
};

let made = 0;
const newValue = (random: Random, { match }: ModelField, people: readonly string[]): unknown => {
  made += 1;
  switch (kindOf(match)) {
    case 'number':
      return random.once(4) ? null : 1_000 + made;
    case 'text':
      return random.once(4) ? null : `${random.pick(['a', 'z', 'o'])}${made}`;
    case 'boolean':
      return random.once(2) ? true : null;
    case 'date':
      return random.once(3) ? null : `20${10 + random.below(80)}-03-04T00:00:00.000Z`;
    case 'person':
      return random.once(3) ? null : { id: random.pick(people) };
    default:
      return random.once(2) ? null : ['tin'];
  }
};

interface Changing {
  random: Random;
  estate: Estate;
  tables: Tables;
  model: Model;
  rested: ReadonlySet<string>;
  people: readonly string[];
}

const tableOf = ({ estate, tables }: Changing, name: Name): ModelTable => tables.get(estate.ids[name]) as ModelTable;

/** One hidden thing becomes another; says what, or nothing where nothing is hidden of that kind. */
const changes: ((changing: Changing) => Promise<string | undefined>)[] = [
  async function changeCell(changing) {
    const { random, estate, model, rested, people } = changing;
    const name = random.pick(names);
    const { id: tableId, fields, records } = tableOf(changing, name);
    const cells = records.flatMap((record) =>
      fields
        .filter(
          ({ id, origin }) =>
            origin.kind === 'plain' &&
            !rested.has(id) &&
            !(model.seesRecord(tableId, record) && model.isGranted(tableId, id, record)),
        )
        .map((field) => ({ record, field })),
    );
    if (cells.length === 0) return undefined;
    const { record, field } = random.pick(cells);
    const value = newValue(random, field, people);
    const done = await estate.shop.owner.call(updateRecord, {
      params: { tableId, recordId: record.id },
      body: { fieldKeyType: 'id', record: { fields: { [field.id]: value } } } as never,
    });
    if (done.status !== 200) throw new Error(JSON.stringify(done.error));
    return `${field.name} of ${name} ${record.id} to ${JSON.stringify(value)}`;
  },
  async function addAndRemove(changing) {
    const { random, estate, model, people } = changing;
    const name = random.pick(names);
    const { id: tableId, fields } = tableOf(changing, name);
    for (let tries = 0; tries < 10; tries += 1) {
      const cells = Object.fromEntries(
        fields
          .filter(({ origin }) => origin.kind === 'plain')
          .map((field) => [field.id, newValue(random, field, people)] as const)
          .filter(([, value]) => value !== null),
      );
      const amount = name === 'orders' ? (cells[estate.at('orders.Amount')] as number | undefined) : undefined;
      const asRead: Record<string, unknown> = {
        ...cells,
        ...(amount === undefined ? {} : { [estate.at('orders.Double')]: amount * 2 }),
      };
      const totals = name === 'clients' ? [{}, { [estate.at('clients.Total')]: 0 }] : [{}];
      const isSeen = totals.some((total) =>
        model.seesRecord(tableId, { id: '', autoNumber: 0, fields: { ...asRead, ...total } } as ModelRecord),
      );
      if (isSeen) continue;
      const recordId = await make(estate, name, cells, 'id');
      if (random.once(2)) await estate.shop.owner.call(deleteRecord, { params: { tableId, recordId } });
      return `a record of ${name} came`;
    }
    return undefined;
  },
  async function linkHidden(changing) {
    const { random, estate, model, rested } = changing;
    const fieldId = estate.at('orders.Client');
    if (rested.has(fieldId)) return undefined;
    const [orders, clients] = [tableOf(changing, 'orders'), tableOf(changing, 'clients')];
    const isHidden = (name: Name, record: ModelRecord): boolean => !model.seesRecord(estate.ids[name], record);
    const hiddenClients = clients.records.filter((record) => isHidden('clients', record));
    const from = orders.records.filter((record) => {
      const linked = (record.fields[fieldId] as { id: string } | undefined)?.id;
      return isHidden('orders', record) && (linked === undefined || hiddenClients.some(({ id }) => id === linked));
    });
    if (from.length === 0 || hiddenClients.length === 0) return undefined;
    const [order, client] = [random.pick(from), random.pick(hiddenClients)];
    const done = await estate.shop.owner.call(updateRecord, {
      params: { tableId: orders.id, recordId: order.id },
      body: { fieldKeyType: 'id', record: { fields: { [fieldId]: { id: client.id } } } } as never,
    });
    if (done.status !== 200) throw new Error(JSON.stringify(done.error));
    return `order ${order.id} to client ${client.id}`;
  },
];

interface Sets {
  estate: Estate;
  reader: Person;
  baseUrl: string;
  seed: number;
  rounds: Iterable<number>;
  say?: (line: string) => void;
}

interface Unseen {
  sets: number;
  changes: number;
  answers: number;
  failures: string[];
}

export const changeUnseen = async ({ estate, reader, baseUrl, seed, rounds, say }: Sets): Promise<Unseen> => {
  const found: Unseen = { sets: 0, changes: 0, answers: 0, failures: [] };
  const by = readerAt(baseUrl, reader.token);
  const people = [reader.userId, estate.shop.owner.userId];
  for (const round of rounds) {
    const random = randomFrom(seed ^ 0x55aa).fork(round);
    const tellsFacts = random.once(2);
    const tables = await estate.read();
    const rules = drawRules(random, estate, tables, reader.userId, {
      recordFacts: tellsFacts,
      reveals: false,
    });
    await setRoles(estate.shop.owner, estate.shop.baseId, rules.roles);
    const model = createModel(tables, rules.granted, { userId: reader.userId, now: new Date() });
    const before = await readAll(by, estate, model, tellsFacts);
    const changing = { random, estate, tables, model, rested: restedOn(rules, tables), people };
    const done: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      const change = await random.pick(changes)(changing);
      if (change !== undefined) done.push(change);
    }
    const after = await readAll(by, estate, model, tellsFacts);
    found.sets += 1;
    found.changes += done.length;
    found.answers += before.size;
    for (const [what, text] of before)
      if (after.get(what) !== text)
        found.failures.push(
          `seed ${seed}, rule set ${round}: ${what} is another one after ${done.join('; ')}\n${text.slice(0, 1_000)}\n${after.get(what)?.slice(0, 1_000)}\n${describeRules(rules, estate)}`,
        );
    if (found.sets % 50 === 0) say?.(`${found.sets} rule sets with hidden changes, ${found.failures.length} seen`);
    if (found.failures.length > 20) break;
  }
  return found;
};
