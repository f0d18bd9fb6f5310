// What steps read and wrote names fields by their ids. People know their names.
import type { Step, Trigger } from '@rowhouse/contract/automation-definition.ts';
import type { FieldsOf } from './sources.ts';
import { allSteps } from './steps.ts';

/** Ids of the tables that an automation is about. */
export const tablesOf = (trigger: Trigger | null, steps: readonly Step[]): string[] => [
  ...new Set(
    [trigger, ...allSteps(steps)].flatMap((one) =>
      one !== null && 'tableId' in one && one.tableId !== '' ? [one.tableId] : [],
    ),
  ),
];

export type FieldNames = ReadonlyMap<string, string>;

export const fieldNames = (tableIds: readonly string[], fieldsOf: FieldsOf): FieldNames =>
  new Map(tableIds.flatMap((tableId) => fieldsOf(tableId).map(({ id, name }) => [id, name] as const)));

/** Fields that are gone keep their ids. */
export const named = (value: unknown, names: FieldNames): unknown => {
  if (Array.isArray(value)) return value.map((one) => named(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [names.get(key) ?? key, named(one, names)]));
};
