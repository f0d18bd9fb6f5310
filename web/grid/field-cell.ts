// What a cell of ours carries through the grid library: the field, its value, and whether it was refused.
import { type CustomCell, GridCellKind } from '@glideapps/glide-data-grid';
import type { Field } from '@rowhouse/contract/field.ts';
import { cellText } from '../table/cell/cell-text.ts';
import type { BasePerson } from '../table/editor/editor-props.ts';

export interface FieldCellData {
  kind: 'field';
  field: Field;
  value: unknown;
  people: readonly BasePerson[];
}

export type FieldCell = CustomCell<FieldCellData>;

export const isFieldCell = (cell: CustomCell): cell is FieldCell => (cell.data as Partial<FieldCellData>).kind === 'field';

export interface FieldCellInput {
  field: Field;
  value: unknown;
  people: readonly BasePerson[];
  readonly: boolean;
}

export const fieldCell = ({ field, value, people, readonly }: FieldCellInput): FieldCell => ({
  kind: GridCellKind.Custom,
  allowOverlay: !readonly,
  readonly,
  copyData: cellText(field, value),
  data: { kind: 'field', field, value, people },
});

export const withValue = (cell: FieldCell, value: unknown): FieldCell => ({ ...cell, copyData: cellText(cell.data.field, value), data: { ...cell.data, value } });
