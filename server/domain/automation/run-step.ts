// Does one step within a transaction, with the rights of the person the automation acts as. What the step writes and the mark that it is done commit together, and its
// operations carry the run. Calls and e-mails are only prepared here: they are sent beside the transaction.
import type { Definition, Step, StepOf, Value } from '@rowhouse/contract/automation-definition.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { type FilterGroup, readFilter } from '@rowhouse/contract/filter.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import type { TypecastReport } from '@rowhouse/contract/record.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { passesOf } from '../../db/error.ts';
import { type Actor, contextOf } from '../../pipeline/act-as.ts';
import type { TableAccess, TableContext } from '../../pipeline/pipeline.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { Stale } from '../../pipeline/stale.ts';
import { parseInSlices } from '../../work/parse-slices.ts';
import { createPause } from '../../work/slices.ts';
import { createComment } from '../comment/create-comment.ts';
import { insertNotifications } from '../notification/notification.sql.ts';
import { listRecords } from '../record/read/list-records.ts';
import { createRecords } from '../record/write/create-records.ts';
import { deleteRecords } from '../record/write/delete-records.ts';
import { changeRecords } from '../record/write/update-records.ts';
import { upsertWithin } from '../record/write/upsert-records.ts';
import { selectMembers } from './member.sql.ts';
import { filterFieldsOf, type Tables } from './read-trigger.ts';
import { recordOutput } from './record-output.ts';
import { sourcesAt } from './sources.ts';
import { judgeOf, stopReason } from './take-changes.ts';
import { makeValues, type Outputs } from './value.sql.ts';

/** The step cannot be done; a person reads why. */
export class StepFailed extends Error {
  readonly input: unknown;
  constructor(message: string, input?: unknown) {
    super(message);
    this.input = input;
  }
}

/** The person it acts as may not do it any more. */
export class MayNot extends Error {}

export interface Outside {
  kind: 'call' | 'email';
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  to?: string[];
  subject?: string;
  text?: string;
}

export interface Done {
  input: unknown;
  output?: unknown;
  /** Into what it holds: `then`, `else`, or the first round of a loop. */
  branch?: string;
  /** Until the next step. */
  seconds?: number;
  /** What is to be sent, beside the transaction. */
  outside?: Outside;
}

export interface Doing {
  services: Services;
  tx: Tx;
  baseId: string;
  runId: string;
  actsAs: Actor;
  automationName: string;
  definition: Definition;
  tables: Tables;
  path: string;
  outputs: Outputs;
}

const longestWait = 31 * 86_400;
const longestText = 100_000;
const mostReceivers = 50;

const asTableContext = async (doing: Doing, tableId: string, action: Action): Promise<TableContext & { db: Tx }> => {
  const { services, tx, actsAs, runId } = doing;
  const context = await contextOf(services, tx, actsAs, { type: 'table', id: tableId }, [action], runId).catch(
    (error: unknown) => {
      throw error instanceof ApiError && passesOf(error) === 'no' ? new MayNot(stopReason(error)) : error;
    },
  );
  return {
    ...context,
    // The operation says which run it belongs to.
    principal: { ...context.principal, clientId: runId },
    access: context.access as TableAccess,
    refresh: () => Promise.reject(new Stale('access')),
  };
};

const values = (doing: Doing, given: readonly Value[]): Promise<unknown[]> =>
  makeValues(doing.tx, given, sourcesAt(doing.definition, doing.tables, doing.path), doing.outputs);

const fieldsOf = async (doing: Doing, fields: Record<string, Value>): Promise<Record<string, unknown>> => {
  const made = await values(doing, Object.values(fields));
  return Object.fromEntries(Object.keys(fields).map((id, at) => [id, made[at] ?? null]));
};

/** A record is named by its id, by a cell with links, or by a list of either. */
const idsIn = (value: unknown): string[] => {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== '');
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value === 'object' && value !== null && 'id' in value) return idsIn(value.id);
  return [];
};

const recordsNamed = (value: unknown, input: unknown): string[] => {
  const ids = [...new Set(idsIn(value))];
  if (ids.length === 0) throw new StepFailed('No record is named: its id is empty', input);
  if (ids.length > 1_000) throw new StepFailed('More than 1,000 records are named', input);
  return ids;
};

const refuseDropped = (doing: Doing, tableId: string, report: TypecastReport | undefined, input: unknown): void => {
  const dropped = report?.entries.find(({ note }) => note === 'dropped');
  if (dropped === undefined) return;
  const field = doing.tables.get(tableId)?.fields.find(({ id }) => id === dropped.field);
  throw new StepFailed(
    `${JSON.stringify(dropped.from)?.slice(0, 200)} does not fit the field "${field?.name ?? dropped.field}"`,
    input,
  );
};

interface ShownRecord {
  id: string;
  fields: Record<string, unknown>;
}

const shown = async (doing: Doing, context: TableContext, { id, fields }: ShownRecord) =>
  recordOutput(
    doing.services,
    sightOf(context, await presentTable(context, doing.baseId, context.access.tableId)),
    id,
    fields,
  );

/** A refusal by the data, such as a value that is there already, ends the run at this step with its reason. */
const explained = async <T>(input: unknown, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw error instanceof ApiError && passesOf(error) === 'no' ? new StepFailed(error.message, input) : error;
  });

const create = async (doing: Doing, { tableId, fields: given }: StepOf<'createRecord'>): Promise<Done> => {
  const fields = await fieldsOf(doing, given);
  const input = { tableId, fields };
  const context = await asTableContext(doing, tableId, 'record|create');
  const answer = await explained(input, () =>
    createRecords({ unconfirmed: context }, { records: [{ fields }], fieldKeyType: 'id', typecast: true }),
  );
  const { records, extra } = JSON.parse([...answer.text].join('')) as {
    records: [ShownRecord];
    extra: { typecast?: TypecastReport };
  };
  refuseDropped(doing, tableId, extra.typecast, input);
  return { input, output: { record: await shown(doing, context, records[0]), operationId: answer.operationId } };
};

const update = async (doing: Doing, { tableId, recordId, fields: given }: StepOf<'updateRecord'>): Promise<Done> => {
  const fields = await fieldsOf(doing, given);
  const [record] = await values(doing, [recordId]);
  const input = { tableId, recordId: record, fields };
  const ids = recordsNamed(record, input);
  const context = await asTableContext(doing, tableId, 'record|update');
  const { records, report, operationId } = await explained(input, () =>
    changeRecords(
      { unconfirmed: context },
      {
        rows: ids.map((id) => ({ id, fields })),
        keyType: 'id',
        typecast: true,
        placeOf: (_at, key) => `fields.${key}`,
      },
    ),
  );
  refuseDropped(doing, tableId, report, input);
  const first = JSON.parse(records[0] as string) as ShownRecord;
  return { input, output: { record: await shown(doing, context, first), count: records.length, operationId } };
};

const upsert = async (doing: Doing, step: StepOf<'upsertRecord'>): Promise<Done> => {
  const { tableId, matchFieldIds } = step;
  const fields = await fieldsOf(doing, step.fields);
  const input = { tableId, matchFieldIds, fields };
  // It may do either.
  await asTableContext(doing, tableId, 'record|create');
  const context = await asTableContext(doing, tableId, 'record|update');
  const written = await explained(input, () =>
    upsertWithin(context, { rows: [{ fields }], keyType: 'id', typecast: true, matchFields: matchFieldIds }),
  );
  refuseDropped(doing, tableId, written.create?.report ?? written.update?.cells.report, input);
  const { created, updated, unchanged } = JSON.parse(written.text) as Record<
    'created' | 'updated' | 'unchanged',
    ShownRecord[]
  >;
  const record = (created[0] ?? updated[0] ?? unchanged[0]) as ShownRecord;
  return { input, output: { record: await shown(doing, context, record), isCreated: created.length > 0 } };
};

const remove = async (doing: Doing, { tableId, recordId }: StepOf<'deleteRecord'>): Promise<Done> => {
  const [record] = await values(doing, [recordId]);
  const input = { tableId, recordId: record };
  const ids = recordsNamed(record, input);
  const context = await asTableContext(doing, tableId, 'record|delete');
  const { records, operationId } = await explained(input, () => deleteRecords({ unconfirmed: context }, ids));
  const first = JSON.parse(records[0] as string) as ShownRecord;
  return { input, output: { record: await shown(doing, context, first), count: records.length, operationId } };
};

const filterWith = async (doing: Doing, filter: unknown, tableId: string): Promise<FilterGroup | null> => {
  if (filter === null || filter === undefined) return null;
  const found: Value[] = [];
  const collect = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return item;
    if ('filterSet' in item && Array.isArray(item.filterSet))
      return { ...item, filterSet: item.filterSet.map(collect) };
    if (!('value' in item)) return item;
    found.push(item.value as Value);
    return { ...item, value: found.length - 1 };
  };
  const places = collect(filter);
  const made = await values(doing, found);
  const fill = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return item;
    if ('filterSet' in item && Array.isArray(item.filterSet)) return { ...item, filterSet: item.filterSet.map(fill) };
    return 'value' in item ? { ...item, value: made[item.value as number] } : item;
  };
  const filled = fill(places);
  const table = doing.tables.get(tableId);
  const read = readFilter(filled, filterFieldsOf(table ?? { fields: [] }), 'filter');
  const [wrong] = read.issues;
  if (wrong !== undefined)
    throw new StepFailed(
      `${wrong.message} (${wrong.path}${wrong.expected === undefined ? '' : `; expected ${wrong.expected}`})`,
      {
        tableId,
        filter: filled,
      },
    );
  return read.filter;
};

const find = async (doing: Doing, step: StepOf<'findRecords'>): Promise<Done> => {
  const { tableId, sort = [], take = 100 } = step;
  const filter = await filterWith(doing, step.filter, tableId);
  const input = { tableId, filter, sort, take };
  const context = await asTableContext(doing, tableId, 'record|read');
  const { text } = await explained(input, () =>
    listRecords({ unconfirmed: context }, {
      take,
      fieldKeyType: 'id',
      withGroups: false,
      ...(filter === null ? {} : { filter: JSON.stringify(filter) }),
      ...(sort.length === 0 ? {} : { orderBy: JSON.stringify(sort) }),
    } as never),
  );
  const { records } = (await parseInSlices(text, createPause())) as { records: ShownRecord[] };
  const sight = sightOf(context, await presentTable(context, doing.baseId, tableId));
  const found = records.map(({ id, fields }) => recordOutput(doing.services, sight, id, fields));
  return { input, output: { records: found, count: found.length, recordIds: found.map(({ id }) => id) } };
};

const decide = async (doing: Doing, { condition }: StepOf<'if'>): Promise<Done> => {
  if ('formula' in condition) {
    const [result] = await values(doing, [{ formula: condition.formula }]);
    const isTrue =
      result === true || (typeof result === 'number' && result !== 0) || (typeof result === 'string' && result !== '');
    return { input: condition, output: { result: isTrue }, branch: isTrue ? 'then' : 'else' };
  }
  const fields = sourcesAt(doing.definition, doing.tables, doing.path).get(condition.of)?.fields ?? [];
  const record = (doing.outputs.get(condition.of) as { record?: ShownRecord } | undefined)?.record;
  const asker = { userId: doing.actsAs.userId, now: doing.services.now() };
  const isTrue = judgeOf({ fields, asker })(condition.filter, record?.fields);
  return { input: condition, output: { result: isTrue }, branch: isTrue ? 'then' : 'else' };
};

const loop = (doing: Doing, { of }: StepOf<'forEach'>): Done => {
  const { records = [] } = (doing.outputs.get(of) ?? {}) as { records?: unknown[] };
  return {
    input: { of },
    output: { count: records.length },
    ...(records.length === 0 ? {} : { branch: `0:${records.length}` }),
  };
};

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const notify = async (doing: Doing, step: StepOf<'notify'>): Promise<Done> => {
  const [people, message] = await values(doing, [step.userIds, step.message]);
  const input = { userIds: people, message };
  const wanted = [...new Set(idsIn(people))].slice(0, 1_000);
  const text = textOf(message).slice(0, 2_000);
  if (text === '') throw new StepFailed('The message is empty', input);
  // Only people of the base: anyone else could be sent anything.
  const members = await selectMembers(doing.tx, doing.baseId, wanted);
  const { newId, config, live } = doing.services;
  const { record } = (doing.outputs.get('trigger') ?? {}) as { record?: { id: string } };
  const { trigger } = doing.definition;
  const tableId = trigger !== null && 'tableId' in trigger ? trigger.tableId : undefined;
  const path =
    record === undefined || tableId === undefined
      ? `/base/${doing.baseId}`
      : `/base/${doing.baseId}/${tableId}?recordId=${record.id}`;
  await insertNotifications(
    doing.tx,
    members.map((userId) => ({
      id: newId('not'),
      userId,
      type: 'system' as const,
      message: `${doing.automationName}: ${text}`,
      path,
      actorId: null,
      source: null,
    })),
    config.smtpUrl !== null,
  );
  if (members.length > 0) live.inboxChanged();
  return { input, output: { notified: members, left: wanted.filter((id) => !members.includes(id)) } };
};

const comment = async (doing: Doing, step: StepOf<'comment'>): Promise<Done> => {
  const [record, text] = await values(doing, [step.recordId, step.text]);
  const input = { tableId: step.tableId, recordId: record, text };
  const [recordId] = recordsNamed(record, input);
  const value = textOf(text);
  if (value === '') throw new StepFailed('The comment is empty', input);
  const context = await asTableContext(doing, step.tableId, 'record|comment');
  const made = await explained(input, () =>
    createComment({ unconfirmed: context }, recordId as string, {
      content: [{ type: 'p', children: [{ type: 'span', value }] }],
    }),
  );
  return { input, output: { commentId: made.id } };
};

const call = async (doing: Doing, step: StepOf<'callUrl'>): Promise<Done> => {
  const { headers = [], body, method } = step;
  const [url, given, ...made] = await values(doing, [step.url, body ?? null, ...headers.map(({ value }) => value)]);
  const input = { url, method, headers: headers.map(({ name }, at) => ({ name, value: made[at] })), body: given };
  const address = textOf(url);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new StepFailed(`${JSON.stringify(address.slice(0, 200))} is no http or https address`, input);
  const text = given === null ? '' : textOf(given);
  if (text.length > longestText) throw new StepFailed(`The body is longer than ${longestText} characters`, input);
  const named = Object.fromEntries(
    headers.map(({ name }, at) => [name.toLowerCase(), textOf(made[at]).replace(/[\r\n\0]/g, ' ')]),
  );
  return { input, outside: { kind: 'call', url: address, method, headers: named, body: text } };
};

const email = async (doing: Doing, step: StepOf<'sendEmail'>): Promise<Done> => {
  const [to, subject, body] = await values(doing, [step.to, step.subject, step.body]);
  const input = { to, subject, body };
  const addressesIn = (value: unknown): string[] =>
    typeof value === 'string'
      ? value.split(/[,;\s]+/).filter((one) => one !== '')
      : Array.isArray(value)
        ? value.flatMap(addressesIn)
        : typeof value === 'object' && value !== null && 'email' in value
          ? addressesIn(value.email)
          : [];
  const addresses = [...new Set(addressesIn(to))];
  const wrong = addresses.find((one) => !/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(one) || one.length > 254);
  if (addresses.length === 0) throw new StepFailed('Nobody is to get the e-mail: the address is empty', input);
  if (wrong !== undefined) throw new StepFailed(`${JSON.stringify(wrong)} is no e-mail address`, input);
  if (addresses.length > mostReceivers)
    throw new StepFailed(`An e-mail goes to at most ${mostReceivers} addresses`, input);
  const text = textOf(body);
  if (text.length > longestText) throw new StepFailed(`The e-mail is longer than ${longestText} characters`, input);
  return {
    input,
    outside: { kind: 'email', to: addresses, subject: textOf(subject).replace(/\s+/g, ' ').slice(0, 250), text },
  };
};

const wait = async (doing: Doing, step: StepOf<'wait'>): Promise<Done> => {
  const [given] = await values(doing, [step.seconds]);
  const seconds = Number(given);
  const input = { seconds: given };
  if (given === null || !Number.isFinite(seconds) || seconds < 0 || seconds > longestWait)
    throw new StepFailed(`It waits for 0 to ${longestWait} seconds, not ${JSON.stringify(given)}`, input);
  return { input, seconds };
};

export const runStep = (doing: Doing, step: Step): Promise<Done> | Done => {
  switch (step.type) {
    case 'createRecord':
      return create(doing, step);
    case 'updateRecord':
      return update(doing, step);
    case 'upsertRecord':
      return upsert(doing, step);
    case 'deleteRecord':
      return remove(doing, step);
    case 'findRecords':
      return find(doing, step);
    case 'if':
      return decide(doing, step);
    case 'forEach':
      return loop(doing, step);
    case 'sendEmail':
      return email(doing, step);
    case 'notify':
      return notify(doing, step);
    case 'comment':
      return comment(doing, step);
    case 'callUrl':
      return call(doing, step);
    case 'wait':
      return wait(doing, step);
  }
};
