// What a reader has chosen to see: values of the filters that the dashboard offers, and groups that were pressed. In the address, so that
// a link shows the same.
import type { DashboardFilter } from '@rowhouse/contract/dashboard.ts';
import { type Condition, type FilterGroup, type FilterOperator, validOperators } from '@rowhouse/contract/filter.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { writeFilter } from '../field-type/filter/conditions.ts';
import type { TableFilter } from './queries.ts';

export type FilterChoice = Pick<Condition, 'operator' | 'value'>;

/** A group that was pressed. */
interface PressedFilter extends TableFilter {
  label: string;
}

export interface ReaderFilters {
  /** By id of the filter. */
  chosen: Readonly<Record<string, FilterChoice>>;
  pressed: readonly PressedFilter[];
}

export const noReaderFilters: ReaderFilters = { chosen: {}, pressed: [] };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An address may say anything; the server checks the conditions themselves. */
export const readFilters = (text: string | undefined): ReaderFilters => {
  try {
    const read: unknown = JSON.parse(text ?? '');
    if (!isObject(read)) return noReaderFilters;
    const chosen = Object.entries(isObject(read['chosen']) ? read['chosen'] : {}).filter(
      (entry): entry is [string, FilterChoice] => isObject(entry[1]) && typeof entry[1]['operator'] === 'string',
    );
    const pressed = (Array.isArray(read['pressed']) ? read['pressed'] : []).filter(
      (one): one is PressedFilter =>
        isObject(one) &&
        typeof one['tableId'] === 'string' &&
        typeof one['label'] === 'string' &&
        isObject(one['filter']),
    );
    return { chosen: Object.fromEntries(chosen), pressed };
  } catch {
    return noReaderFilters;
  }
};

export const writeFilters = ({ chosen, pressed }: ReaderFilters): string | undefined =>
  Object.keys(chosen).length === 0 && pressed.length === 0 ? undefined : JSON.stringify({ chosen, pressed });

const fits = (field: Field, operator: FilterOperator): boolean =>
  validOperators({
    type: field.type,
    cellValueType: field.cellValueType,
    isMultiple: field.isMultipleCellValue === true,
  }).includes(operator);

/** For the server: one filter for each table. A choice that is not complete yet filters nothing. */
export const tableFilters = (
  offered: readonly DashboardFilter[],
  { chosen, pressed }: ReaderFilters,
  fieldOf: (tableId: string, fieldId: string) => Field | undefined,
): TableFilter[] => {
  const parts = new Map<string, (Condition | FilterGroup)[]>();
  const add = (tableId: string, part: Condition | FilterGroup): void =>
    void parts.set(tableId, [...(parts.get(tableId) ?? []), part]);
  for (const { id, fields } of offered) {
    const choice = chosen[id];
    if (choice === undefined) continue;
    for (const { tableId, fieldId } of fields) {
      const field = fieldOf(tableId, fieldId);
      if (field === undefined || !fits(field, choice.operator)) continue;
      const complete = writeFilter({ conjunction: 'and', filterSet: [{ fieldId, ...choice }] });
      if (complete !== null) for (const condition of complete.filterSet) add(tableId, condition);
    }
  }
  for (const { tableId, filter } of pressed) add(tableId, filter);
  return [...parts].map(([tableId, filterSet]) => ({ tableId, filter: { conjunction: 'and', filterSet } }));
};
