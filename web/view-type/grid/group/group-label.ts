// The value of a group as text. Dates come from the server as their field shows them.
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import { cellText } from '../../../field-type/cell-text.ts';
import { withThousands } from '../../../field-type/number/number-format.ts';
import type { GroupHeader } from './group-rows.ts';

export const groupLabel = (field: Field | undefined, { id, value }: Pick<GroupHeader, 'id' | 'value'>): string => {
  // The server names 5,000 groups; the rest is one.
  if (id === 'unknown') return 'Further groups';
  const kind = field === undefined ? undefined : kindOf(field);
  if (kind === 'boolean') return value === true ? 'Checked' : 'Not checked';
  if (value === null || value === undefined || value === '') return 'Empty';
  return field === undefined || kind === 'date' ? String(value) : cellText(field, value);
};

export const countText = (count: number): string => `${withThousands(count)} ${count === 1 ? 'record' : 'records'}`;
