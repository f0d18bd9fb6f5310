import type { Field } from '@rowhouse/contract/field.ts';
import type { BasePerson } from '../../record-data/queries.ts';

/** One editor per field type, used by the grid and by the record panel alike. */
export interface EditorProps {
  field: Field;
  value: unknown;
  /** Whose cell it is; absent in forms. */
  recordId?: string | undefined;
  tableId?: string | undefined;
  /** What was typed on the cell to open the editor. */
  initialText?: string | undefined;
  people: readonly BasePerson[];
  /** For screen readers, and for the field's label. */
  label: string;
  id?: string | undefined;
  className?: string | undefined;
  autoFocus?: boolean | undefined;
  /** The draft has changed; it is written when the editor is left, or at once. `from`: what the list was before this change, in this editor. */
  onChange: (value: unknown, from?: unknown) => void;
  /** Done: write this now. */
  onFinish: (value: unknown) => void;
}
