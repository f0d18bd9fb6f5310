// What starts a workflow, in Teable's words and in ours. Triggers that Teable does not have keep our names and form.
import { type Trigger, type TriggerType, triggerSchemas } from '@rowhouse/contract/automation-definition.ts';
import { validator } from '../../endpoint/validate.ts';
import { type Config, unmapped } from './node.ts';
import { cronFrom, timingOf } from './timing.ts';

const noTrigger: Readonly<Record<string, string>> = {
  recordCreatedOrUpdated: 'use two workflows, with recordCreated and recordUpdated',
  emailReceived: 'no mailbox is read here; a webhook can be called with what arrives',
};

interface Given {
  config: Config;
  /** What messages name. */
  node: string;
  now: Date;
}

const refuse = (config: Config, key: string, node: string, expected: string): void => {
  const value = config[key];
  if (value === undefined || value === null || value === '' || value === false) return;
  throw unmapped(node, `config.${key}`, `${key} is not something that it has here`, expected);
};

const kept = (config: Config, ...keys: string[]): Config =>
  Object.fromEntries(keys.flatMap((key) => (config[key] === undefined ? [] : [[key, config[key]]])));

const schedule = ({ config, node, now }: Given): Config => {
  refuse(config, 'ending', node, 'a schedule without an end; turn the workflow off then');
  if (typeof config.starting === 'string' && Date.parse(config.starting) > now.getTime())
    throw unmapped(
      node,
      'config.starting',
      'a schedule begins when the workflow is activated',
      'a time that has passed',
    );
  return { type: 'schedule', cron: cronFrom(config.timing, node), timeZone: config.tz ?? 'UTC' };
};

const incomingCall = ({ config, node }: Given): Config => {
  const { type = 'none' } = (config.authorization ?? {}) as { type?: string };
  if (type !== 'none')
    throw unmapped(
      node,
      'config.authorization.type',
      `${JSON.stringify(type)?.slice(0, 50)} is not checked here`,
      '`none`: the address is secret, and `generate-webhook-token` makes a new one',
    );
  return { type: 'incomingCall' };
};

const fromTheirs: Readonly<Record<string, (given: Given) => Config>> = {
  recordCreated: ({ config, node }) => {
    refuse(config, 'viewId', node, '`filter`, or a trigger of the type viewEntered');
    return { type: 'recordCreated', tableId: config.tableId ?? '', ...kept(config, 'filter') };
  },
  recordUpdated: ({ config, node }) => {
    refuse(config, 'viewId', node, '`filter`, or a trigger of the type viewEntered');
    const fieldIds = config.watchFieldIds;
    const isNone = fieldIds === undefined || (Array.isArray(fieldIds) && fieldIds.length === 0);
    return {
      type: 'recordUpdated',
      tableId: config.tableId ?? '',
      ...(isNone ? {} : { fieldIds }),
      ...kept(config, 'filter'),
    };
  },
  recordMatchesConditions: ({ config }) => ({
    type: 'recordMatches',
    tableId: config.tableId ?? '',
    filter: config.filter ?? { conjunction: 'and', filterSet: [] },
  }),
  formSubmitted: ({ config }) => ({
    type: 'formSubmitted',
    tableId: config.tableId ?? '',
    viewId: config.formId ?? config.viewId ?? '',
  }),
  buttonClick: ({ config }) => {
    const fieldIds = config.watchFieldIds;
    const isAll = !Array.isArray(fieldIds) || fieldIds.length === 0 || fieldIds.includes('all');
    return {
      type: 'buttonPressed',
      tableId: config.tableId ?? '',
      fieldIds: isAll ? null : fieldIds,
      ...kept(config, 'filter'),
    };
  },
  scheduledTime: schedule,
  webhook: incomingCall,
};

/** `type` and `config` as a client sent them. */
export const triggerFrom = (type: string, config: Config, of: { node: string; now: Date }): Trigger => {
  const reason = Object.hasOwn(noTrigger, type) ? noTrigger[type] : undefined;
  if (reason !== undefined) throw unmapped(of.node, 'type', `there is no trigger ${type} here`, reason);
  const theirs = Object.hasOwn(fromTheirs, type) ? fromTheirs[type] : undefined;
  if (theirs === undefined && !Object.hasOwn(triggerSchemas, type))
    throw unmapped(
      of.node,
      'type',
      `there is no trigger ${JSON.stringify(type).slice(0, 100)}`,
      [...Object.keys(fromTheirs), 'viewEntered', 'commentAdded', 'dateReached'].join(', '),
    );
  const trigger = theirs?.({ config, ...of }) ?? { ...config, type };
  validator(triggerSchemas[trigger.type as TriggerType])(trigger, 'config');
  return trigger as Trigger;
};

const theirNames: Partial<Record<TriggerType, string>> = {
  recordMatches: 'recordMatchesConditions',
  buttonPressed: 'buttonClick',
  schedule: 'scheduledTime',
  incomingCall: 'webhook',
};

export const triggerTypeTo = (type: TriggerType): string => theirNames[type] ?? type;

/** `starting` is a time that has passed: a schedule here has none of its own. */
export const triggerTo = (trigger: Trigger, starting: string): { type: string; config: Config } => {
  const { type: ours, ...config } = trigger as Trigger & Config;
  const type = triggerTypeTo(ours);
  const { tableId, filter } = config;
  const filtered = filter === undefined ? {} : { filter };
  switch (trigger.type) {
    case 'recordCreated':
      return { type, config: { tableId, ...filtered } };
    case 'recordUpdated':
      return {
        type,
        config: {
          tableId,
          ...(trigger.fieldIds === undefined ? {} : { watchFieldIds: trigger.fieldIds }),
          ...filtered,
        },
      };
    case 'recordMatches':
      return { type, config: { tableId, filter } };
    case 'formSubmitted':
      return { type, config: { tableId, formId: trigger.viewId } };
    case 'buttonPressed':
      return { type, config: { tableId, watchFieldIds: trigger.fieldIds ?? ['all'], ...filtered } };
    case 'schedule':
      return { type, config: { starting, tz: trigger.timeZone, timing: timingOf(trigger.cron) } };
    case 'incomingCall':
      return { type, config: { authorization: { type: 'none' } } };
    default:
      return { type, config };
  }
};
