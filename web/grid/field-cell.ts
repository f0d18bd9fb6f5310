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
  recordId: string;
  /** Why the server did not take what stands in the cell. */
  refusal: string | undefined;
  /** Set by the editor: the record it was opened on. Rows may move while somebody types. */
  typedInto?: string;
}

export type FieldCell = CustomCell<FieldCellData>;

export const isFieldCell = (cell: CustomCell): cell is FieldCell => (cell.data as Partial<FieldCellData>).kind === 'field';

export interface FieldCellInput {
  field: Field;
  value: unknown;
  people: readonly BasePerson[];
  recordId: string;
  refusal: string | undefined;
  readonly: boolean;
}

export const fieldCell = ({ field, value, people, recordId, refusal, readonly }: FieldCellInput): FieldCell => ({
  kind: GridCellKind.Custom,
  allowOverlay: !readonly,
  readonly,
  copyData: cellText(field, value),
  data: { kind: 'field', field, value, people, recordId, refusal },
});

export const withValue = (cell: FieldCell, value: unknown): FieldCell => ({ ...cell, copyData: cellText(cell.data.field, value), data: { ...cell.data, value } });

/** The same, as the editor of a cell gives it back. */
export const typedValue = (cell: FieldCell, recordId: string, value: unknown): FieldCell => {
  const typed = withValue(cell, value);
  return { ...typed, data: { ...typed.data, typedInto: recordId } };
};
