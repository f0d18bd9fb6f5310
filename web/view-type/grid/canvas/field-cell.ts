// What a cell of ours carries through the grid library: record, field and value. A click on it changes this record and
// this field, wherever they stand by then.
import { type CustomCell, GridCellKind } from '@glideapps/glide-data-grid';
import type { Field } from '@rowhouse/contract/field.ts';
import { shownText } from '../../../field-type/cell-text.ts';

interface FieldCellData {
  kind: 'field';
  field: Field;
  value: unknown;
  recordId: string;
  /** A pill of a link was clicked: which one. */
  onPill?: ((at: number) => void) | undefined;
  /** The button was pressed. */
  onPress?: (() => void) | undefined;
}

export type FieldCell = CustomCell<FieldCellData>;

export const isFieldCell = (cell: CustomCell): cell is FieldCell =>
  (cell.data as Partial<FieldCellData>).kind === 'field';

interface FieldCellInput {
  field: Field;
  value: unknown;
  recordId: string;
  readonly: boolean;
  onPill?: ((at: number) => void) | undefined;
  /** The button was pressed. */
  onPress?: (() => void) | undefined;
}

// The editors are ours (cell-overlay.tsx): the library's belong to a row and a column.
export const fieldCell = ({ field, value, recordId, readonly, onPill, onPress }: FieldCellInput): FieldCell => ({
  kind: GridCellKind.Custom,
  allowOverlay: false,
  readonly,
  copyData: shownText(field, value),
  data: { kind: 'field', field, value, recordId, onPill, onPress },
});

export const withValue = (cell: FieldCell, value: unknown): FieldCell => ({
  ...cell,
  copyData: shownText(cell.data.field, value),
  data: { ...cell.data, value },
});
