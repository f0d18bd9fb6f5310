// The fields of the tables that an automation is about.
import type { Field } from '@rowhouse/contract/field.ts';
import type { Step, Trigger } from '@rowhouse/contract/automation-definition.ts';
import { useQueries } from '@tanstack/react-query';
import { fieldsQuery } from '../record-data/queries.ts';
import { type FieldNames, fieldNames, tablesOf } from './named.ts';
import type { FieldsOf } from './sources.ts';

const none: readonly Field[] = [];

export const useBaseFields = (trigger: Trigger | null, steps: readonly Step[]): FieldsOf => {
  const tableIds = tablesOf(trigger, steps);
  const answers = useQueries({ queries: tableIds.map((tableId) => fieldsQuery(tableId)) });
  return (tableId) => answers[tableIds.indexOf(tableId)]?.data ?? none;
};

/** For what its runs tell. */
export const useFieldNames = (trigger: Trigger | null, steps: readonly Step[]): FieldNames =>
  fieldNames(tablesOf(trigger, steps), useBaseFields(trigger, steps));
