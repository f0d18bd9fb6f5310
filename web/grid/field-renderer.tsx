// Joins our cells and editors to the grid library.
import { type CustomRenderer, GridCellKind, type ProvideEditorComponent } from '@glideapps/glide-data-grid';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { CellEditor } from '../table/editor/cell-editor.tsx';
import { drawField } from './draw-field.ts';
import { starAt } from './draw-stars.ts';
import { type FieldCell, isFieldCell, typedValue, withValue } from './field-cell.ts';

const floats: readonly string[] = ['singleSelect', 'multipleSelect', 'user'];

/** Where a key that ends editing leads to. */
const movementOf = ({ key, shiftKey }: KeyboardEvent): readonly [-1 | 0 | 1, -1 | 0 | 1] | undefined => {
  if (key === 'Escape') return [0, 0];
  // With shift it is a new line.
  if (key === 'Enter') return shiftKey ? undefined : [0, 1];
  if (key === 'Tab') return [shiftKey ? -1 : 1, 0];
  return undefined;
};

const FieldEditor: ProvideEditorComponent<FieldCell> = ({ value: cell, initialValue, onChange, onFinishedEditing }) => {
  const frame = useRef<HTMLDivElement>(null);
  const draft = useRef<FieldCell>(undefined);
  const openedOn = useRef(cell.data.recordId).current;
  // The library gives the focus to the canvas a frame after a click or a key, even if an editor has opened since:
  // the editor takes it back in the same frame, before another key can come.
  useEffect(() => {
    const next = requestAnimationFrame(() => {
      if (frame.current?.contains(document.activeElement) === false) frame.current.querySelector<HTMLElement>('input, textarea, [tabindex]')?.focus();
    });
    return () => cancelAnimationFrame(next);
  }, []);
  // The library ends editing in a timer. On a busy machine the next keys come before it, and would go to the editor
  // that is about to close, or to a cell whose new selection is not drawn yet. Here it ends within the event.
  const onKeyDown = (event: KeyboardEvent): void => {
    const movement = movementOf(event);
    if (movement === undefined) return;
    event.stopPropagation();
    // This key is the input method's: it chooses among the characters it offers.
    if (event.nativeEvent.isComposing) return;
    event.preventDefault();
    onFinishedEditing(event.key === 'Escape' ? undefined : draft.current, movement);
  };
  return (
    <div ref={frame} className={floats.includes(cell.data.field.type) ? 'p-0.5' : 'flex min-h-[22px] w-full flex-col justify-center'} onKeyDown={onKeyDown}>
      <CellEditor
        field={cell.data.field}
        value={cell.data.value}
        people={cell.data.people}
        initialText={initialValue}
        label={cell.data.field.name}
        autoFocus
        onChange={(value) => {
          draft.current = typedValue(cell, openedOn, value);
          onChange(draft.current);
        }}
        onFinish={(value) => onFinishedEditing(typedValue(cell, openedOn, value), [0, 0])}
      />
      {cell.data.refusal !== undefined && (
        <p role="alert" className="max-w-80 py-1 text-[12px] text-danger">
          {cell.data.refusal}
        </p>
      )}
    </div>
  );
};

export const fieldRenderer: CustomRenderer<FieldCell> = {
  kind: GridCellKind.Custom,
  isMatch: isFieldCell,
  needsHover: (cell) => cell.data.field.isPrimary === true || (cell.data.field.type === 'rating' && cell.readonly !== true),
  draw: drawField,
  onDelete: (cell) => (cell.readonly === true ? undefined : withValue(cell, null)),
  onClick: ({ cell, posX, theme, preventDefault }) => {
    const { field, value } = cell.data;
    if (field.type !== 'rating' || cell.readonly === true) return undefined;
    const star = starAt(posX, typeof field.options['max'] === 'number' ? field.options['max'] : 5, theme);
    if (star === undefined) return undefined;
    preventDefault();
    return withValue(cell, star === value ? null : star);
  },
  provideEditor: (cell) => ({
    disablePadding: floats.includes(cell.data.field.type),
    deletedValue: (toDelete) => withValue(toDelete, null),
    editor: FieldEditor,
  }),
};
