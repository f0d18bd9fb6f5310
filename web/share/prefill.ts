// What the address of a form says: `?prefill_Name=Anna&hide_Source=true`, by the name or the id of a field.
import type { Field } from '@rowhouse/contract/field.ts';
import { choicesOf } from '../record-data/cell/cell-text.ts';

const truths: readonly string[] = ['true', '1', 'yes'];

/** Undefined for what does not fit the field: then it begins as it would anyway. */
const cellOf = (field: Field, text: string): unknown => {
  const known = (name: string): boolean => choicesOf(field).some((choice) => choice.name === name);
  switch (field.type) {
    case 'singleLineText':
    case 'longText':
      return text.slice(0, 10_000);
    case 'number':
    case 'rating':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'checkbox':
      return truths.includes(text.toLowerCase()) ? true : undefined;
    case 'singleSelect':
      return known(text) ? text : undefined;
    case 'multipleSelect': {
      const names = text
        .split(',')
        .map((name) => name.trim())
        .filter(known);
      return names.length === 0 ? undefined : names;
    }
    case 'date':
      return Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();
    default:
      return undefined;
  }
};

interface Prefilled {
  cells: Record<string, unknown>;
  hiddenIds: Set<string>;
}

export const readPrefill = (search: string, fields: readonly Field[]): Prefilled => {
  const found: Prefilled = { cells: {}, hiddenIds: new Set() };
  for (const [key, value] of new URLSearchParams(search)) {
    const [, what, name] = /^(prefill|hide)_(.+)$/.exec(key) ?? [];
    const field = fields.find((one) => one.id === name || one.name === name);
    if (field === undefined) continue;
    if (what === 'hide' && truths.includes(value.toLowerCase())) found.hiddenIds.add(field.id);
    const cell = what === 'prefill' ? cellOf(field, value) : undefined;
    if (cell !== undefined) found.cells[field.id] = cell;
  }
  return found;
};
