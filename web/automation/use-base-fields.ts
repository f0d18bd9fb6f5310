// The fields of the tables that an automation is about, by table.
import type { Field } from '@rowhouse/contract/field.ts';
import type { Step, Trigger } from '@rowhouse/contract/automation.ts';
import { useQueries } from '@tanstack/react-query';
import { fieldsQuery } from '../record-data/queries.ts';
import type { FieldsOf } from './sources.ts';
import { allSteps } from './steps.ts';

const none: readonly Field[] = [];

export const useBaseFields = (trigger: Trigger | null, steps: readonly Step[]): FieldsOf => {
  const named = [trigger, ...allSteps(steps)].flatMap((one) =>
    one !== null && 'tableId' in one && one.tableId !== '' ? [one.tableId] : [],
  );
  const tableIds = [...new Set(named)];
  const answers = useQueries({ queries: tableIds.map((tableId) => fieldsQuery(tableId)) });
  return (tableId) => answers[tableIds.indexOf(tableId)]?.data ?? none;
};
