// What can be inserted into a step: values of what started it, and of the steps before.
import type { Step, Trigger } from '@rowhouse/contract/automation-definition.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { stepWords } from './words.ts';
import { type StepPlace, stepsBefore } from './steps.ts';

export interface Source {
  id: string;
  label: string;
  /** Of the record that it stands for. */
  tableId: string | undefined;
  values: readonly SourceValue[];
}

interface SourceValue {
  /** As the server takes it: `trigger.fld…`. */
  chip: string;
  label: string;
}

export type FieldsOf = (tableId: string) => readonly Field[];

const stepLabel = (step: Step, steps: readonly Step[]): string =>
  step.name !== undefined && step.name !== ''
    ? step.name
    : `${stepWords[step.type].label} (${steps.findIndex(({ id }) => id === step.id) + 1})`;

const ofRecord = (id: string, tableId: string, fields: FieldsOf): SourceValue[] => [
  ...fields(tableId).map((field) => ({ chip: `${id}.${field.id}`, label: field.name })),
  { chip: `${id}.recordName`, label: 'Name of the record' },
  { chip: `${id}.recordUrl`, label: 'Link to the record' },
];

export const tableOfTrigger = (trigger: Trigger | null): string | undefined =>
  trigger !== null && 'tableId' in trigger && trigger.tableId !== '' ? trigger.tableId : undefined;

const triggerSource = (trigger: Trigger | null, fields: FieldsOf): Source => {
  const tableId = tableOfTrigger(trigger);
  const before = trigger?.type === 'recordUpdated' || trigger?.type === 'recordMatches';
  return {
    id: 'trigger',
    label: tableId === undefined ? 'What started it' : 'The record that started it',
    tableId,
    values: [
      ...(tableId === undefined ? [] : ofRecord('trigger', tableId, fields)),
      ...(tableId !== undefined && before
        ? fields(tableId).map((field) => ({ chip: `trigger.before.${field.id}`, label: `${field.name}, before` }))
        : []),
      ...(trigger?.type === 'commentAdded' ? [{ chip: 'trigger.comment', label: 'The comment' }] : []),
      ...(trigger?.type === 'incomingCall' ? [{ chip: 'trigger.body', label: 'Data that was sent' }] : []),
      ...(trigger?.type === 'schedule' || trigger?.type === 'incomingCall' || trigger?.type === 'dateReached'
        ? []
        : [{ chip: 'trigger.by', label: 'Person who started it' }]),
      { chip: 'trigger.time', label: 'When it started' },
    ],
  };
};

/** By the step that finds records, their table. */
const foundIn = (steps: readonly { step: Step }[], id: string): string | undefined => {
  const found = steps.find(({ step }) => step.id === id)?.step;
  return found?.type === 'findRecords' && found.tableId !== '' ? found.tableId : undefined;
};

const sourceOf = (step: Step, before: readonly { step: Step; isAround: boolean }[], fields: FieldsOf): Source[] => {
  const all = before.map(({ step: one }) => one);
  const label = stepLabel(step, all);
  if (step.type === 'findRecords')
    return [
      {
        id: step.id,
        label,
        tableId: undefined,
        values: [{ chip: `${step.id}.count`, label: 'Number of records found' }],
      },
    ];
  if (step.type === 'callUrl')
    return [
      {
        id: step.id,
        label,
        tableId: undefined,
        values: [
          { chip: `${step.id}.status`, label: 'Status of the response' },
          { chip: `${step.id}.body`, label: 'The response' },
        ],
      },
    ];
  if (step.type === 'forEach') {
    const tableId = foundIn(before, step.of);
    const isInside = before.some((one) => one.step.id === step.id && one.isAround);
    return tableId === undefined || !isInside
      ? []
      : [{ id: step.id, label: 'Current record', tableId, values: ofRecord(step.id, tableId, fields) }];
  }
  if (step.type === 'createRecord' || step.type === 'updateRecord' || step.type === 'upsertRecord')
    return step.tableId === ''
      ? []
      : [{ id: step.id, label, tableId: step.tableId, values: ofRecord(step.id, step.tableId, fields) }];
  return [];
};

export const sourcesAt = (
  { trigger, steps }: { trigger: Trigger | null; steps: readonly Step[] },
  place: StepPlace,
  fields: FieldsOf,
): Source[] => {
  const before = stepsBefore(steps, place);
  return [triggerSource(trigger, fields), ...before.flatMap(({ step }) => sourceOf(step, before, fields))];
};

/** What stands on a chip. */
export const chipLabel = (chip: string, sources: readonly Source[]): string => {
  if (chip.startsWith('=')) return chip.slice(1).trim();
  for (const { id, label, values } of sources) {
    const value = values.find((one) => one.chip === chip);
    if (value !== undefined) return id === 'trigger' ? value.label : `${label}: ${value.label}`;
    if (chip === `${id}.recordId`) return label;
  }
  return chip;
};
