// Steps while they are put together: where one stands, what stands before it, and changes at a place.
import type { Step, StepType, Trigger, TriggerType } from '@rowhouse/contract/automation-definition.ts';
import { noFilter } from '../field-type/filter/conditions.ts';

/** `[0, 'then', 1]`: the second step of the first branch of the first one. */
export type StepPlace = readonly (number | Branch)[];
export type Branch = 'then' | 'else' | 'steps';

export const branchesOf = (step: Step): readonly Branch[] =>
  step.type === 'if' ? ['then', 'else'] : step.type === 'forEach' ? ['steps'] : [];

export const stepsIn = (step: Step, branch: Branch): readonly Step[] =>
  ((step as unknown as Partial<Record<Branch, Step[]>>)[branch] ?? []) as Step[];

const withBranch = (step: Step, branch: Branch, steps: readonly Step[]): Step =>
  ({ ...step, [branch]: steps }) as unknown as Step;

/** Changes the list that a place is in; the last part of the place is where in the list. */
const changeList = (
  steps: readonly Step[],
  place: StepPlace,
  change: (list: readonly Step[], at: number) => readonly Step[],
): Step[] => {
  const [at, branch, ...rest] = place as [number, Branch | undefined, ...StepPlace];
  if (branch === undefined) return [...change(steps, at)];
  return steps.map((step, index) =>
    index === at ? withBranch(step, branch, changeList(stepsIn(step, branch), rest, change)) : step,
  );
};

export const replaceStep = (steps: readonly Step[], place: StepPlace, next: Step): Step[] =>
  changeList(steps, place, (list, at) => list.map((step, index) => (index === at ? next : step)));

export const removeStep = (steps: readonly Step[], place: StepPlace): Step[] =>
  changeList(steps, place, (list, at) => list.filter((_step, index) => index !== at));

export const insertStep = (steps: readonly Step[], place: StepPlace, step: Step): Step[] =>
  changeList(steps, place, (list, at) => [...list.slice(0, at), step, ...list.slice(at)]);

export const moveStep = (steps: readonly Step[], place: StepPlace, by: -1 | 1): Step[] =>
  changeList(steps, place, (list, at) => {
    const moved = list[at];
    const rest = list.filter((_step, index) => index !== at);
    return moved === undefined ? list : [...rest.slice(0, at + by), moved, ...rest.slice(at + by)];
  });

/** As the server names it in its findings. */
export const pathOf = (place: StepPlace): string =>
  place.map((part, at) => (typeof part === 'number' ? `${at === 0 ? 'steps' : ''}[${part}]` : `.${part}`)).join('');

export const allSteps = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => [step, ...branchesOf(step).flatMap((branch) => allSteps(stepsIn(step, branch)))]);

/** What a step can read: those before it, and those before the ones that it stands in. A loop can be read inside of it alone. */
export const stepsBefore = (steps: readonly Step[], place: StepPlace): { step: Step; isAround: boolean }[] => {
  const [at, branch, ...rest] = place as [number, Branch | undefined, ...StepPlace];
  const before = steps.slice(0, at).map((step) => ({ step, isAround: false }));
  const around = steps[at];
  if (branch === undefined || around === undefined) return before;
  return [...before, { step: around, isAround: true }, ...stepsBefore(stepsIn(around, branch), rest)];
};

export const freeStepId = (steps: readonly Step[]): string => {
  const taken = new Set(allSteps(steps).map(({ id }) => id));
  for (let number = 1; ; number += 1) if (!taken.has(`step${number}`)) return `step${number}`;
};

const theRecord = { formula: '{trigger.recordId}' };

export const newStep = (type: StepType, id: string, tableId: string): Step => {
  const begins: Record<StepType, object> = {
    createRecord: { tableId, fields: {} },
    updateRecord: { tableId, recordId: theRecord, fields: {} },
    upsertRecord: { tableId, matchFieldIds: [''], fields: {} },
    deleteRecord: { tableId, recordId: theRecord },
    findRecords: { tableId, filter: null },
    if: { condition: { of: 'trigger', filter: noFilter }, then: [], else: [] },
    forEach: { of: '', steps: [] },
    sendEmail: { to: '', subject: '', body: '' },
    notify: { userIds: [], message: '' },
    comment: { tableId, recordId: theRecord, text: '' },
    callUrl: { url: '', method: 'POST' },
    wait: { seconds: 3_600 },
  };
  return { type, id, ...begins[type] } as Step;
};

export const newTrigger = (type: TriggerType, tableId: string): Trigger => {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const begins: Record<TriggerType, object> = {
    recordCreated: { tableId },
    recordUpdated: { tableId, fieldIds: null },
    recordMatches: { tableId, filter: noFilter },
    viewEntered: { tableId, viewId: '' },
    formSubmitted: { tableId, viewId: '' },
    commentAdded: { tableId },
    buttonPressed: { tableId, fieldIds: null },
    schedule: { cron: '0 9 * * *', timeZone },
    dateReached: { tableId, fieldId: '', days: 0, time: '09:00', timeZone },
    incomingCall: {},
  };
  return { type, ...begins[type] } as Trigger;
};
