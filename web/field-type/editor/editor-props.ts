import type { Condition } from '@rowhouse/contract/filter.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { ComponentType } from 'react';
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

export interface ConditionValueProps {
  condition: Condition;
  field: Field;
  people: readonly BasePerson[];
  onValue: (value: Condition['value']) => void;
}

/** How the cells of a field type are edited. cell-editor.tsx lists them. */
export interface CellEditing {
  Editor: ComponentType<EditorProps>;
  /** One line or several in place of the cell, a list to pick from, or a box to tick. */
  frame: 'line' | 'lines' | 'list' | 'tick';
  /** Larger than most cells: it is moved so that all of it is on the screen. */
  size?: { width: number; height: number };
  /** What a condition on such a field compares with, where the kind of its values does not say it. */
  ConditionValue?: ComponentType<ConditionValueProps>;
}
