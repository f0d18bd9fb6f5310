import type { Definition, Step, Trigger, Value } from '@rowhouse/contract/automation-definition.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphOf, placeStep } from './graph.ts';
import { triggerIdOf } from './node.ts';
import { stepFrom } from './translate-step.ts';
import { triggerFrom } from './translate-trigger.ts';
import { valueFrom, valueTo } from './translate-value.ts';

const workflow = { id: 'wfl0123456789abcdef', createdTime: '2026-01-01T00:00:00.000Z' };
const triggerId = triggerIdOf(workflow.id);
const now = new Date('2026-02-01T00:00:00.000Z');
const baseId = 'bse0123456789abcdef';

/** As a client would build what it has read: the trigger, then node after node, each behind the one its edge comes from. */
const rebuilt = (definition: Definition): Definition => {
  const { nodes, edges } = graphOf(definition, workflow);
  let made: Definition = { trigger: null, steps: [] };
  for (const { id, category, type, name, description, config } of nodes) {
    if (category === 'trigger') made = { ...made, trigger: triggerFrom(type, config, { node: id, now }) };
    if (category !== 'action' && category !== 'logic') continue;
    const parent = edges.find(({ target }) => target === id)?.source ?? triggerId;
    const step = stepFrom({ id, type, name, description, config }, { baseId, triggerId, label: id });
    made = placeStep(made, parent, workflow.id, step);
  }
  return made;
};

const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,6}$/);
const id = fc.stringMatching(/^(tbl|fld|viw)[0-9A-Za-z]{16}$/);
const reference = fc
  .tuple(
    fc.oneof(fc.constant('trigger'), word),
    fc.oneof(
      id,
      fc.constantFrom('recordId', 'recordName', 'recordUrl', 'by', 'byId', 'time', 'status', 'count', 'index', 'body'),
      id.map((field) => `before.${field}`),
      fc.constantFrom('body.order.id', 'A name', 'of "quotes"', 'a.b', 'body.'),
    ),
  )
  .map(([source, key]) => `${source}.${key}`);
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
  fc.boolean(),
  fc.constant(null),
  fc.array(word),
  fc.constantFrom({ any: { resolvable: true } }, { resolvable: true, type: 'fact' }),
  reference.map((name) => ({ formula: `{${name}}` })),
  reference.map((name) => ({ formula: `UPPER({${name}}) & "{"` })),
  fc.string().map((formula) => ({ formula })),
  fc.string().map((template) => ({ template })),
  fc
    .array(
      fc.oneof(
        reference.map((name) => `{${name}}`),
        word,
        fc.constantFrom('\\{', ' ', '{= 1 + 1}', '{', '\\\\'),
      ),
    )
    .map((parts) => ({ template: parts.join('') })),
);
const filter = fc
  .array(
    fc.record({
      fieldId: id,
      operator: fc.constantFrom('is' as const, 'isNot' as const),
      value: fc.oneof(
        word,
        fc.integer(),
        reference.map((name) => ({ formula: `{${name}}` })),
      ),
    }),
    { maxLength: 3 },
  )
  .map((filterSet) => ({ conjunction: 'and' as const, filterSet: filterSet as never[] }));
const orNone = <T>(of: fc.Arbitrary<T>) => fc.oneof(of, fc.constant(null));

const timeZone = fc.constantFrom('UTC', 'Europe/Berlin');
const cron = fc.oneof(
  fc.constantFrom('', '*/5 * * * *', '0 * * * *', '0 */6 * * *', '30 9 * * *', '05 9 * * *', '0 9 * * MON,FRI'),
  fc.constantFrom('0 9 1,15 * *', '0 9 * * MON-FRI', '0 0 1 1 *', '0 9 1 * MON', '*/7 * * * *', '1 2 3', '0 0 32 * *'),
);
const trigger: fc.Arbitrary<Trigger | null> = fc.oneof(
  fc.constant(null),
  fc.record(
    { type: fc.constant('recordCreated' as const), tableId: id, filter: orNone(filter) },
    { requiredKeys: ['type', 'tableId'] },
  ),
  fc.record(
    {
      type: fc.constant('recordUpdated' as const),
      tableId: id,
      fieldIds: orNone(fc.array(id, { minLength: 1, maxLength: 3 })),
      filter: orNone(filter),
    },
    { requiredKeys: ['type', 'tableId'] },
  ),
  fc.record({ type: fc.constant('recordMatches' as const), tableId: id, filter }),
  fc.record({ type: fc.constant('viewEntered' as const), tableId: id, viewId: id }),
  fc.record({ type: fc.constant('formSubmitted' as const), tableId: id, viewId: id }),
  fc.record({ type: fc.constant('commentAdded' as const), tableId: id }),
  fc.record(
    {
      type: fc.constant('buttonPressed' as const),
      tableId: id,
      fieldIds: orNone(fc.array(id, { minLength: 1, maxLength: 3 })),
      filter: orNone(filter),
    },
    { requiredKeys: ['type', 'tableId', 'fieldIds'] },
  ),
  fc.record({ type: fc.constant('schedule' as const), cron, timeZone }),
  fc.record({
    type: fc.constant('dateReached' as const),
    tableId: id,
    fieldId: id,
    days: fc.integer({ min: -9, max: 9 }),
    time: fc.constant('09:00'),
    timeZone,
  }),
  fc.constant({ type: 'incomingCall' as const }),
);

const fields = fc.dictionary(id, value, { maxKeys: 3 });
const header = fc.record({
  name: fc.constantFrom('content-type', 'Content-Type', 'authorization'),
  value: fc.oneof(value, fc.constantFrom('application/json', 'text/html')),
});
const simple: fc.Arbitrary<Record<string, unknown>>[] = [
  fc.record({ type: fc.constant('createRecord'), tableId: id, fields }),
  fc.record({ type: fc.constant('updateRecord'), tableId: id, recordId: value, fields }),
  fc.record({
    type: fc.constant('upsertRecord'),
    tableId: id,
    matchFieldIds: fc.array(id, { minLength: 1, maxLength: 2 }),
    fields,
  }),
  fc.record({ type: fc.constant('deleteRecord'), tableId: id, recordId: value }),
  fc.record(
    {
      type: fc.constant('findRecords'),
      tableId: id,
      filter: orNone(filter),
      sort: fc.array(fc.record({ fieldId: id, order: fc.constantFrom('asc', 'desc') }), { maxLength: 2 }),
      take: fc.integer({ min: 1, max: 1_000 }),
    },
    { requiredKeys: ['type', 'tableId'] },
  ),
  fc.record({ type: fc.constant('sendEmail'), to: value, subject: value, body: value }),
  fc.record({ type: fc.constant('notify'), userIds: value, message: value }),
  fc.record({ type: fc.constant('comment'), tableId: id, recordId: value, text: value }),
  fc.record(
    {
      type: fc.constant('callUrl'),
      url: value,
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      headers: fc.array(header, { maxLength: 3 }),
      body: value,
    },
    { requiredKeys: ['type', 'url', 'method'] },
  ),
  fc.record({ type: fc.constant('wait'), seconds: value }),
];
const condition = fc.oneof(
  fc.string().map((formula) => ({ formula })),
  fc.record({ of: fc.oneof(fc.constant('trigger'), word), filter }),
);

/** Else without a step is no else: a client sees the same. */
const steps: fc.Arbitrary<Record<string, unknown>[]> = fc.letrec<{ list: Record<string, unknown>[] }>((tie) => ({
  list: fc.array(
    fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      ...simple,
      fc
        .record({ type: fc.constant('if'), condition, then: tie('list'), else: tie('list') })
        .map(({ else: otherwise, ...step }) => (otherwise.length === 0 ? step : { ...step, else: otherwise })),
      fc.record({ type: fc.constant('forEach'), of: word, steps: tie('list') }),
    ),
    { maxLength: 4 },
  ),
})).list;

/** Ids are unique in a definition. */
const numbered = (list: readonly Record<string, unknown>[], names: readonly (string | undefined)[]): Step[] => {
  let count = 0;
  const number = (some: readonly Record<string, unknown>[]): Step[] =>
    some.map((step) => {
      count += 1;
      const name = names[count];
      return {
        ...step,
        id: `step${count}`,
        ...(name === undefined ? {} : { name, description: `About ${name}` }),
        ...Object.fromEntries(
          ['then', 'else', 'steps'].flatMap((key) => (Array.isArray(step[key]) ? [[key, number(step[key])]] : [])),
        ),
      } as unknown as Step;
    });
  return number(list);
};

describe('what is read as a workflow', () => {
  test('and built again node by node is the same', () => {
    fc.assert(
      fc.property(trigger, steps, fc.array(fc.option(word, { nil: undefined })), (start, list, names) => {
        const definition: Definition = { trigger: start, steps: numbered(list, names) };
        expect(rebuilt(definition)).toEqual(definition);
      }),
      { numRuns: 300 },
    );
  });

  test('has one edge to each node, and ends of branches have one for each branch', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const definition: Definition = { trigger: { type: 'incomingCall' }, steps: numbered(list, []) };
        const { nodes, edges } = graphOf(definition, workflow);
        expect(new Set(nodes.map((node) => node.id)).size).toBe(nodes.length);
        for (const node of nodes) {
          const coming = edges.filter(({ target }) => target === node.id);
          const wanted = node.category === 'trigger' ? 0 : node.type === 'conditionEnd' ? 2 : 1;
          expect(coming).toHaveLength(wanted);
          for (const { source } of coming) expect(nodes.some((one) => one.id === source)).toBe(true);
        }
      }),
    );
  });
});

const place = { node: 'wacOne', triggerId };
const fact = (path: string, more: object = {}) => ({ resolvable: true, type: 'fact', fact: triggerId, path, ...more });
const literal = (given: unknown) => ({ resolvable: true, type: 'literal', value: given });

describe('values', () => {
  test.each([
    [fact('$.record.fields.fldA'), { formula: '{trigger.fldA}' }],
    [fact("$['record']['fields']['A name']"), { formula: '{trigger.A name}' }],
    [fact('$.record.oldFields.fldA'), { formula: '{trigger.before.fldA}' }],
    [fact('$.user.name', { params: { pipes: ['trim', 'uppercase'] } }), { formula: 'UPPER(TRIM({trigger.by}))' }],
    [{ resolvable: true, type: 'array', nodes: [fact('$.record.fields.fldA')] }, { formula: '{trigger.fldA}' }],
    [{ resolvable: true, type: 'array', nodes: [literal(5)] }, 5],
    [
      {
        resolvable: true,
        type: 'array',
        nodes: [literal('Dear {'), fact('$.user.name'), literal(7), fact('$.body.a', { params: { pipes: ['trim'] } })],
      },
      { template: 'Dear \\{{trigger.by}7{= TRIM({trigger.body.a}) }' },
    ],
    ['plain', 'plain'],
    [undefined, null],
  ])('%j is %j', (theirs, ours) => expect(valueFrom(theirs, 'config.to', place)).toEqual(ours));

  test('a text of one value alone stays a text', () =>
    expect(valueTo({ template: '{trigger.fldA}' }, place)).toMatchObject({
      type: 'array',
      nodes: [{ value: '' }, {}],
    }));

  test.each([
    [fact('$.record.fields.fldA.title')],
    [fact('$..*')],
    [fact('$.nextTriggerTime')],
    [fact('$.user.name', { params: { pipes: ['jsonStringify'] } })],
    [{ resolvable: true, type: 'secret' }],
  ])('%j is refused, and the message names the node', (theirs) => {
    expect(() => valueFrom(theirs, 'config.to', place)).toThrow(ApiError);
    expect(() => valueFrom(theirs, 'config.to', place)).toThrow('wacOne');
  });
});

describe('nodes that have no counterpart are refused with the place', () => {
  const issueOf = (work: () => unknown): unknown => {
    try {
      work();
    } catch (error) {
      return (error as ApiError).data;
    }
    return undefined;
  };

  test.each([
    ['script', {}, 'type'],
    ['aiGenerate', {}, 'type'],
    ['nothing', {}, 'type'],
    ['toString', {}, 'type'],
    ['createRecord', { baseId: 'bseOther', tableId: 'tbl' }, 'config.baseId'],
    ['createRecord', { tableId: 'tbl', loopKey: fact('$') }, 'config.loopKey'],
    ['getRecords', { tableId: 'tbl', skip: 5 }, 'config.skip'],
    ['sendEmail', { to: literal('a@example.com'), cc: literal('b@example.com') }, 'config.cc'],
    ['httpRequest', { url: literal(''), method: 'head' }, 'config.method'],
    ['httpRequest', { url: literal(''), contentType: 'multipart/form-data' }, 'config.contentType'],
    ['condition', { conditions: { logic: 'not' } }, 'config.conditions'],
    ['Repeat', { fact: literal([1]) }, 'config.fact'],
  ])('%s %j: %s', (type, config, path) => {
    const work = () => stepFrom({ id: 'wacOne', type, config }, { baseId, triggerId, label: 'wacOne' });
    expect(issueOf(work)).toMatchObject({ issues: [{ path, message: expect.stringContaining('wacOne') }] });
  });

  test.each([
    ['recordCreatedOrUpdated', {}, 'type'],
    ['emailReceived', {}, 'type'],
    ['recordCreated', { tableId: 'tbl', viewId: 'viw' }, 'config.viewId'],
    ['webhook', { authorization: { type: 'bearer' } }, 'config.authorization.type'],
    ['scheduledTime', { tz: 'UTC', timing: { type: 'OneTime' } }, 'config.timing'],
    [
      'scheduledTime',
      { tz: 'UTC', timing: { type: 'days', interval: 2, triggerTime: { hour: 9, minute: 0 } } },
      'config.timing',
    ],
    [
      'scheduledTime',
      { tz: 'UTC', starting: '2030-01-01T00:00:00Z', timing: { type: 'hours', interval: 1 } },
      'config.starting',
    ],
    ['scheduledTime', { tz: 'UTC', ending: '2030-01-01T00:00:00Z' }, 'config.ending'],
  ])('%s %j: %s', (type, config, path) => {
    expect(issueOf(() => triggerFrom(type, config, { node: 'wtrOne', now }))).toMatchObject({
      issues: [{ path, message: expect.stringContaining('wtrOne') }],
    });
  });

  test('nothing stands behind a condition itself: its branches have nodes', () => {
    const step = (id: string, type: string) => stepFrom({ id, type, config: {} }, { baseId, triggerId, label: id });
    const one = placeStep({ trigger: null, steps: [] }, triggerId, workflow.id, step('asked', 'condition'));
    expect(issueOf(() => placeStep(one, 'asked', workflow.id, step('b', 'wait')))).toMatchObject({
      issues: [{ path: 'parentNodeId', expected: 'asked:true, asked:false, asked:end' }],
    });
    expect(() => placeStep(one, 'asked:other', workflow.id, step('b', 'wait'))).toThrow(ApiError);
    expect(() => placeStep(one, 'none', workflow.id, step('b', 'wait'))).toThrow(ApiError);
    const both = placeStep(one, 'asked:false', workflow.id, step('b', 'wait'));
    expect(placeStep(both, 'asked:end', workflow.id, step('c', 'Repeat')).steps).toMatchObject([
      { id: 'asked', then: [], else: [{ id: 'b' }] },
      { id: 'c', of: '', steps: [] },
    ]);
  });
});
