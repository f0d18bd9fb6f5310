import type { CellEditing, EditorProps } from '../editor/editor-props.ts';

/** Outside of the grid, where a click on the cell ticks it. */
const CheckboxEditor = ({ value, id, label, onFinish }: EditorProps) => (
  <input
    id={id}
    type="checkbox"
    aria-label={label}
    className="size-5 accent-[var(--accent)]"
    checked={value === true}
    onChange={(event) => onFinish(event.target.checked ? true : null)}
  />
);

export const checkboxEditing: CellEditing = { Editor: CheckboxEditor, frame: 'tick' };
