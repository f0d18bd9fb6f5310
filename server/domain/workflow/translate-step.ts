// Actions and logic of a workflow, in Teable's words and in ours. Steps that Teable does not have keep our names and form.
import {
  isFormulaValue,
  isTemplateValue,
  type Step,
  type StepOf,
  type StepType,
  stepSchemas,
  type Value,
} from '@rowhouse/contract/automation-definition.ts';
import { validator } from '../../endpoint/validate.ts';
import { type Config, unmapped } from './node.ts';
import { type NodePlace, valueFrom, valueTo } from './translate-value.ts';

const noStep: Readonly<Record<string, string>> = {
  aiGenerate: 'no model is asked here; httpRequest can ask one',
  script: 'no code is run here; formulas and httpRequest do most of what scripts are for',
};

const contentTypes = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'];

interface Given {
  config: Config;
  place: NodePlace;
  baseId: string;
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && value !== null && 'type' in value && value.type === 'literal' && 'value' in value
    ? isNothing(value.value)
    : false);

const refuse = ({ config, place }: Given, expected: string, ...keys: string[]): void => {
  const key = keys.find((one) => !isNothing(config[one]));
  if (key !== undefined)
    throw unmapped(place.node, `config.${key}`, `${key} is not something that it has here`, expected);
};

const refuseElsewhere = (given: Given): void => {
  const { config, baseId, place } = given;
  if (!isNothing(config.baseId) && config.baseId !== baseId)
    throw unmapped(place.node, 'config.baseId', 'steps work in the base of their workflow', baseId);
  refuse(given, 'a node of the type Repeat around it', 'loopKey');
};

const value = ({ config, place }: Given, key: string): Value => valueFrom(config[key], `config.${key}`, place);

const fieldsFrom = ({ config, place }: Given): Record<string, Value> =>
  Object.fromEntries(
    Object.entries((config.fields ?? {}) as Config).map(([id, one]) => [
      id,
      valueFrom(one, `config.fields.${id}`, place),
    ]),
  );

/** Values of conditions are as in filters of views; those of Teable's values that name nodes are formulas here. */
const mapFilter = (filter: unknown, map: (value: unknown, at: string) => unknown, at: string): unknown => {
  if (typeof filter !== 'object' || filter === null) return filter;
  if ('filterSet' in filter && Array.isArray(filter.filterSet))
    return { ...filter, filterSet: filter.filterSet.map((one, n) => mapFilter(one, map, `${at}.filterSet[${n}]`)) };
  return 'value' in filter ? { ...filter, value: map(filter.value, `${at}.value`) } : filter;
};
const isResolvable = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'resolvable' in given && given.resolvable === true;

const headersFrom = (given: Given): { name: string; value: Value }[] => {
  const { config, place } = given;
  const headers = ((config.headers ?? []) as { key?: unknown; value?: unknown }[]).map((header, at) => {
    const name = valueFrom(header.key, `config.headers[${at}].key`, place);
    if (typeof name !== 'string')
      throw unmapped(place.node, `config.headers[${at}].key`, 'names of headers are no values of nodes', 'a text');
    return { name, value: valueFrom(header.value, `config.headers[${at}].value`, place) };
  });
  if (isNothing(config.contentType)) return headers;
  if (!contentTypes.includes(config.contentType as string))
    throw unmapped(place.node, 'config.contentType', 'it is not sent here', contentTypes.join(', '));
  return headers.some(({ name }) => name.toLowerCase() === 'content-type')
    ? headers
    : [...headers, { name: 'content-type', value: config.contentType as string }];
};

const requestFrom = (given: Given): Config => {
  const { config, place } = given;
  refuse(given, 'a node of the type Repeat around it', 'loopKey', 'arrayKey');
  const method = String(config.method ?? 'get').toUpperCase();
  if (method === 'HEAD') throw unmapped(place.node, 'config.method', 'head is not sent here', 'get');
  if (Array.isArray(config.body) && config.body.length > 0)
    throw unmapped(place.node, 'config.body', 'a body is not put together from parts here', 'one value');
  const headers = headersFrom(given);
  return {
    type: 'callUrl',
    url: value(given, 'url'),
    method,
    ...(headers.length === 0 && config.headers === undefined ? {} : { headers }),
    ...(config.body === undefined || Array.isArray(config.body) ? {} : { body: value(given, 'body') }),
  };
};

const conditionFrom = ({ config, place }: Given): Config => {
  const given = (config.conditions ?? {}) as Config;
  if (typeof given.formula === 'string') return { formula: given.formula };
  const filter = Array.isArray(given.filterSet) ? given : given.filter;
  if (filter === undefined && Object.keys(given).length > 0)
    throw unmapped(
      place.node,
      'config.conditions',
      'conditions have another form here',
      '`{"conjunction": "and", "filterSet": […]}` about the record of the trigger, the same as `filter` beside `fact`, the id of a node with a record, or `{"formula": "…"}`',
    );
  if (filter === undefined) return { formula: '' };
  const of = Array.isArray(given.filterSet) || given.fact === undefined ? place.triggerId : given.fact;
  return { of: of === place.triggerId ? 'trigger' : of, filter };
};

const loopFrom = ({ config, place }: Given): Config => {
  const given = config.fact as Config | undefined | null;
  if (given === undefined || given === null) return { of: '' };
  const [fact] = given.type === 'array' && Array.isArray(given.nodes) ? (given.nodes as Config[]) : [given];
  if (fact?.type !== 'fact' || !['$', '$.records', ''].includes(String(fact.path ?? '')))
    throw unmapped(
      place.node,
      'config.fact',
      'a loop goes through what getRecords found',
      'the fact of such a node, with the path `$.records`',
    );
  return { of: fact.fact };
};

const fromTheirs: Readonly<Record<string, (given: Given) => Config>> = {
  createRecord: (given) => {
    refuseElsewhere(given);
    return { type: 'createRecord', tableId: given.config.tableId ?? '', fields: fieldsFrom(given) };
  },
  updateRecord: (given) => {
    refuseElsewhere(given);
    const fields = fieldsFrom(given);
    return { type: 'updateRecord', tableId: given.config.tableId ?? '', recordId: value(given, 'recordId'), fields };
  },
  getRecords: (given) => {
    refuseElsewhere(given);
    refuse(given, '`filter`', 'viewId');
    if (given.config.skip !== 0) refuse(given, '`filter`', 'skip');
    const { filter, sort, take, tableId = '' } = given.config;
    const map = (one: unknown, at: string): unknown => (isResolvable(one) ? valueFrom(one, at, given.place) : one);
    return {
      type: 'findRecords',
      tableId,
      ...(filter === undefined ? {} : { filter: mapFilter(filter, map, 'config.filter') }),
      ...(sort === undefined ? {} : { sort }),
      ...(take === undefined || take === null ? {} : { take }),
    };
  },
  sendEmail: (given) => {
    refuse(given, 'one list of receivers', 'cc', 'bcc');
    refuse(given, 'the mail server of this server, with its sender', 'transportConfig', 'senderName', 'replyTo');
    refuse(given, 'a node of the type Repeat around it', 'loopKey');
    return { type: 'sendEmail', to: value(given, 'to'), subject: value(given, 'subject'), body: value(given, 'body') };
  },
  httpRequest: requestFrom,
  condition: (given) => ({ type: 'if', condition: conditionFrom(given), then: [] }),
  Repeat: (given) => ({ type: 'forEach', ...loopFrom(given), steps: [] }),
};

export const isLogic = (type: string): boolean => type === 'condition' || type === 'Repeat';

export interface NewNode {
  id: string;
  type: string;
  name?: string | undefined;
  description?: string | undefined;
  config: Config;
}

/** A step without what it holds. `label` is what messages name. */
export const stepFrom = (
  { id, type, name, description, config }: NewNode,
  of: { baseId: string; triggerId: string; label: string },
): Step => {
  const place = { node: of.label, triggerId: of.triggerId };
  const reason = Object.hasOwn(noStep, type) ? noStep[type] : undefined;
  if (reason !== undefined) throw unmapped(of.label, 'type', `there is no action ${type} here`, reason);
  const theirs = Object.hasOwn(fromTheirs, type) ? fromTheirs[type] : undefined;
  const isOurs = Object.hasOwn(stepSchemas, type) && type !== 'if' && type !== 'forEach';
  if (theirs === undefined && !isOurs)
    throw unmapped(
      of.label,
      'type',
      `there is no action ${JSON.stringify(type).slice(0, 100)}`,
      [...Object.keys(fromTheirs), 'upsertRecord', 'deleteRecord', 'notify', 'comment', 'wait'].join(', '),
    );
  const made = theirs?.({ config, place, baseId: of.baseId }) ?? { ...emptyOf(type as StepType), ...config, type };
  const step = {
    ...made,
    id,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  };
  validator(stepSchemas[made.type as StepType])(step, 'config');
  return step as Step;
};

/** A node may be made before it is filled in; what is missing stands among the issues of the draft. */
const emptyOf = (type: StepType): Config => {
  const empty: Partial<Record<StepType, Config>> = {
    upsertRecord: { tableId: '', matchFieldIds: [''], fields: {} },
    deleteRecord: { tableId: '', recordId: null },
    notify: { userIds: null, message: '' },
    comment: { tableId: '', recordId: null, text: '' },
    wait: { seconds: null },
  };
  return empty[type] ?? {};
};

const fieldsTo = (fields: Record<string, Value>, place: NodePlace): Config =>
  Object.fromEntries(Object.entries(fields).map(([id, one]) => [id, valueTo(one, place)]));

const requestTo = ({ url, method, headers, body }: StepOf<'callUrl'>, place: NodePlace): Config => {
  const last = headers?.at(-1);
  const isOnly = headers?.filter(({ name }) => name.toLowerCase() === 'content-type').length === 1;
  const contentType =
    isOnly && last?.name === 'content-type' && contentTypes.includes(last.value as string)
      ? (last.value as string)
      : undefined;
  const others = contentType === undefined ? headers : headers?.slice(0, -1);
  return {
    url: valueTo(url, place),
    method: method.toLowerCase(),
    ...(others === undefined
      ? {}
      : {
          headers: others.map((header) => ({ key: valueTo(header.name, place), value: valueTo(header.value, place) })),
        }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined ? {} : { body: valueTo(body, place) }),
  };
};

const conditionTo = ({ condition }: StepOf<'if'>, { triggerId }: NodePlace): Config =>
  'formula' in condition
    ? { conditions: condition.formula === '' ? {} : { formula: condition.formula } }
    : { conditions: { fact: condition.of === 'trigger' ? triggerId : condition.of, filter: condition.filter } };

const computedTo =
  (place: NodePlace) =>
  (one: unknown): unknown =>
    isFormulaValue(one) || isTemplateValue(one) ? valueTo(one as Value, place) : one;

export const stepTo = (step: Step, place: NodePlace): { type: string; config: Config } => {
  const { type } = step;
  switch (type) {
    case 'createRecord':
      return { type, config: { tableId: step.tableId, fields: fieldsTo(step.fields, place) } };
    case 'updateRecord': {
      const recordId = valueTo(step.recordId, place);
      return { type, config: { tableId: step.tableId, recordId, fields: fieldsTo(step.fields, place) } };
    }
    case 'findRecords': {
      const { tableId, filter, sort, take } = step;
      return {
        type: 'getRecords',
        config: {
          tableId,
          ...(filter === undefined ? {} : { filter: mapFilter(filter, computedTo(place), '') }),
          ...(sort === undefined ? {} : { sort }),
          ...(take === undefined ? {} : { take }),
        },
      };
    }
    case 'sendEmail':
      return {
        type,
        config: {
          to: valueTo(step.to, place),
          subject: valueTo(step.subject, place),
          body: valueTo(step.body, place),
        },
      };
    case 'callUrl':
      return { type: 'httpRequest', config: requestTo(step, place) };
    case 'if':
      return { type: 'condition', config: conditionTo(step, place) };
    case 'forEach':
      return {
        type: 'Repeat',
        config: step.of === '' ? {} : { fact: { resolvable: true, type: 'fact', fact: step.of, path: '$.records' } },
      };
    default: {
      const { id: _id, name: _name, description: _description, type: _type, ...config } = step;
      return { type, config };
    }
  }
};
