// Fields that show what the server knows of a record: they have no column of their own and are read-only. Those of the last change have one when
// only some fields count.
import { Type } from 'typebox';
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { dateCells } from '../kind/date.sql.ts';
import { dateFormatting, formattingOf } from '../kind/date-format.sql.ts';
import { countCells } from '../kind/number.sql.ts';
import { userIdCells } from '../kind/person.sql.ts';
import { groupBySortKey } from '../kind/shared.sql.ts';
import type { CellResult, CellType, FieldType } from '../type.ts';
import { carryPlain, keepSameType } from './convert.ts';

const refused: CellResult = { ok: false, expected: 'nothing: this field is computed' };

/** Ids of the fields whose changes it tells of; none: of all. See field/demand-tracked.ts and record/write/tracked.sql.ts. */
export const trackedIn = ({ trackedFieldIds }: Record<string, unknown>): readonly string[] =>
  Array.isArray(trackedFieldIds) ? (trackedFieldIds as string[]) : [];

const tracked = Type.Optional(
  Type.Union([Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 }), Type.Null()], {
    description: 'Only changes of these fields count.',
  }),
);

const systemType = (
  type: FieldTypeName,
  defaultName: string,
  systemColumn: string,
  cells: CellType,
  filled: Pick<FieldType, 'isAlwaysFilled' | 'isIdentity'> = {},
): FieldType => {
  const isDate = cells.kind === 'date';
  const canTrack = systemColumn.startsWith('__last_modified');
  return {
    type,
    defaultName,
    optionsSchema: Type.Object({
      ...(isDate ? { formatting: Type.Optional(Type.Partial(dateFormatting)) } : {}),
      ...(canTrack ? { trackedFieldIds: tracked } : {}),
    }),
    systemColumn,
    ...(canTrack ? { hasOwnColumn: (options: Record<string, unknown>) => trackedIn(options).length > 0 } : {}),
    isComputed: true,
    canBePrimary: true,
    canBeUnique: false,
    canBeNotNull: false,
    ...filled,
    cells: () => cells,
    completeOptions: (given) => ({
      ...(isDate ? { formatting: formattingOf(given) } : {}),
      ...(canTrack && trackedIn(given).length > 0 ? { trackedFieldIds: [...new Set(trackedIn(given))] } : {}),
    }),
    read: () => refused,
    cast: () => ({ value: null }),
    defaultCell: () => null,
    convert: keepSameType,
    carry: carryPlain,
  };
};

/** Every record has one, with an index: a filter needs no other. */
const autoNumberCells: CellType = {
  ...countCells,
  dbFieldType: 'INTEGER',
  column: 'bigint',
  filterKey: () => null,
  sortKey: (column) => ({ expression: column, type: 'bigint', indexable: true }),
  groupKey: (column, field) => groupBySortKey(autoNumberCells.sortKey(column, field)),
};

export const autoNumber = systemType('autoNumber', 'ID', '__auto_number', autoNumberCells, {
  isAlwaysFilled: true,
  isIdentity: true,
});
export const createdTime = systemType('createdTime', 'Created Time', '__created_time', dateCells, {
  isAlwaysFilled: true,
});
export const lastModifiedTime = systemType('lastModifiedTime', 'Last Modified Time', '__last_modified_time', dateCells);
export const createdBy = systemType('createdBy', 'Created by', '__created_by', userIdCells);
export const lastModifiedBy = systemType('lastModifiedBy', 'Last modified by', '__last_modified_by', userIdCells);
