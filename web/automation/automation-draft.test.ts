import type { Step } from '@rowhouse/contract/automation-definition.ts';
import { expect, test } from 'vitest';
import { cronOf, readCron } from './schedule.ts';
import { freeStepId, insertStep, moveStep, newStep, pathOf, removeStep, replaceStep, stepsBefore } from './steps.ts';
import { partsOf, templateParts, valueOf } from './value-text.ts';

const wait = (id: string): Step => newStep('wait', id, '');
const branch = { ...newStep('if', 'a', ''), then: [wait('b'), wait('c')], else: [wait('d')] } as Step;
const steps = [wait('first'), branch, wait('last')];
const ids = (list: readonly Step[]): unknown =>
  list.map((step) => (step.type === 'if' ? [step.id, ids(step.then), ids(step.else ?? [])] : step.id));

test('steps are changed at their place, also inside of branches', () => {
  expect(ids(insertStep(steps, [1, 'then', 1], wait('new')))).toEqual([
    'first',
    ['a', ['b', 'new', 'c'], ['d']],
    'last',
  ]);
  expect(ids(removeStep(steps, [1, 'else', 0]))).toEqual(['first', ['a', ['b', 'c'], []], 'last']);
  expect(ids(moveStep(steps, [1, 'then', 1], -1))).toEqual(['first', ['a', ['c', 'b'], ['d']], 'last']);
  expect(ids(moveStep(steps, [1], 1))).toEqual(['first', 'last', ['a', ['b', 'c'], ['d']]]);
  expect(ids(replaceStep(steps, [0], wait('other')))).toEqual(['other', ['a', ['b', 'c'], ['d']], 'last']);
  expect(pathOf([1, 'then', 1])).toBe('steps[1].then[1]');
});

test('a step reads those before it and those around it, not other branches', () => {
  expect(stepsBefore(steps, [1, 'then', 1]).map(({ step, isAround }) => [step.id, isAround])).toEqual([
    ['first', false],
    ['a', true],
    ['b', false],
  ]);
  expect(stepsBefore(steps, [2]).map(({ step }) => step.id)).toEqual(['first', 'a']);
  expect(freeStepId([wait('step1'), { ...branch, id: 'step2' } as Step])).toBe('step3');
});

test('text and values become what the server keeps, and come back as they were', () => {
  expect(valueOf([{ text: 'Hello' }])).toBe('Hello');
  expect(valueOf([{ text: '12' }], true)).toBe(12);
  expect(valueOf([{ chip: 'trigger.fldA' }])).toEqual({ formula: '{trigger.fldA}' });
  const mixed = [{ text: 'Dear {you}, ' }, { chip: 'trigger.fldA' }, { text: '\\' }];
  expect(valueOf(mixed)).toEqual({ template: 'Dear \\{you\\}, {trigger.fldA}\\\\' });
  expect(partsOf(valueOf(mixed))).toEqual(mixed);
  expect(templateParts('a {= UPPER({trigger.fldA})} b')).toEqual([
    { text: 'a ' },
    { chip: '= UPPER({trigger.fldA})' },
    { text: ' b' },
  ]);
  expect(partsOf({ formula: '{trigger.fldA} * 2' })).toBeUndefined();
  expect(partsOf({ formula: '{trigger.fldA}' })).toEqual([{ chip: 'trigger.fldA' }]);
});

test('times are said in words, and others stay as they were written', () => {
  for (const cron of ['30 * * * *', '0 9 * * *', '15 8 * * MON,FRI', '0 7 1 * *'])
    expect(cronOf(readCron(cron))).toBe(cron);
  expect(readCron('15 8 * * MON,FRI')).toMatchObject({ rhythm: 'week', time: '08:15', days: ['MON', 'FRI'] });
  expect(readCron('*/5 9-17 * * MON-FRI')).toMatchObject({ rhythm: 'own' });
  expect(cronOf(readCron('*/5 9-17 * * MON-FRI'))).toBe('*/5 9-17 * * MON-FRI');
});
