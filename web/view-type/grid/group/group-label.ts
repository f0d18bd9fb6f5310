// The value of a group as text. Dates come from the server as their field shows them.
import type { Field } from '@rowhouse/contract/field.ts';
import { cellText } from '../../../record-data/cell/cell-text.ts';
import { withThousands } from '../../../record-data/cell/number-format.ts';
import type { GroupHeader } from './group-rows.ts';

const dates: readonly string[] = ['date', 'createdTime', 'lastModifiedTime'];

export const groupLabel = (field: Field | undefined, { id, value }: Pick<GroupHeader, 'id' | 'value'>): string => {
  // The server names 5,000 groups; the rest is one.
  if (id === 'unknown') return 'Further groups';
  if (field?.type === 'checkbox') return value === true ? 'Ticked' : 'Not ticked';
  if (value === null || value === undefined || value === '') return 'Empty';
  return field === undefined || dates.includes(field.type) ? String(value) : cellText(field, value);
};

export const countText = (count: number): string => `${withThousands(count)} ${count === 1 ? 'record' : 'records'}`;
