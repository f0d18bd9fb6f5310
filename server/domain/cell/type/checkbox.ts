// checkbox: true or empty; false is stored as empty, as in Teable.
import { readYesNo } from '@rowhouse/contract/yes-no.ts';
import { Type } from 'typebox';
import { booleanCells } from '../kind/boolean.sql.ts';
import { type FieldType, forStorage } from '../type.ts';
import { keepSameType } from './convert.ts';

export const checkbox: FieldType = {
  type: 'checkbox',
  defaultName: 'Done',
  optionsSchema: Type.Object({ defaultValue: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])) }),
  isComputed: false,
  canBePrimary: false,
  canBeUnique: false,
  canBeNotNull: false,
  cells: () => booleanCells,
  completeOptions: ({ defaultValue }) => (typeof defaultValue === 'boolean' ? { defaultValue } : {}),
  read: (value) =>
    typeof value === 'boolean' ? { ok: true, value: value || null } : { ok: false, expected: 'true or false' },
  cast(value) {
    const checked =
      typeof value === 'string'
        ? readYesNo(value)
        : typeof value === 'number'
          ? value !== 0
          : Array.isArray(value)
            ? value.length > 0
            : true;
    return checked === undefined ? { value: null, note: 'dropped' } : { value: checked || null, note: 'converted' };
  },
  changed: (carried) =>
    typeof carried === 'boolean' ||
    carried === 0 ||
    carried === 1 ||
    (typeof carried === 'string' && carried.trim() !== '')
      ? undefined
      : 'checked',
  defaultCell: (field) => (field.options.defaultValue === true ? true : null),
  convert: keepSameType,
  // Yes and no of a formula or a rollup are what a checkbox holds, too.
  carry: (from, source, column) => source.json(column, from, forStorage),
};
