// What the address of a form says: `?prefill_Name=Anna&hide_Source=true`, by the name or the id of a field.
import type { Field } from '@rowhouse/contract/field.ts';
import { fieldTypeOf } from '../field-type/field-types.ts';

const truths: readonly string[] = ['true', '1', 'yes'];

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
    const cell = what === 'prefill' ? fieldTypeOf(field.type).readAddress?.(field, value) : undefined;
    if (cell !== undefined) found.cells[field.id] = cell;
  }
  return found;
};
