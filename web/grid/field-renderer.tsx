// Joins our cells and editors to the grid library.
import { type CustomRenderer, GridCellKind, type ProvideEditorComponent } from '@glideapps/glide-data-grid';
import { useEffect, useRef } from 'react';
import { CellEditor } from '../table/editor/cell-editor.tsx';
import { drawField } from './draw-field.ts';
import { starAt } from './draw-stars.ts';
import { type FieldCell, isFieldCell, withValue } from './field-cell.ts';

const floats: readonly string[] = ['singleSelect', 'multipleSelect', 'user'];

const FieldEditor: ProvideEditorComponent<FieldCell> = ({ value: cell, initialValue, onChange, onFinishedEditing }) => {
  const frame = useRef<HTMLDivElement>(null);
  // The library may give the focus to the canvas a frame after a click or a key; the editor takes it back.
  useEffect(() => {
    const next = requestAnimationFrame(() => {
      if (frame.current?.contains(document.activeElement) === false) frame.current.querySelector<HTMLElement>('input, textarea, [tabindex]')?.focus();
    });
    return () => cancelAnimationFrame(next);
  }, []);
  return (
    <div ref={frame} className={floats.includes(cell.data.field.type) ? 'p-0.5' : 'flex min-h-[22px] w-full items-center'}>
      <CellEditor
        field={cell.data.field}
        value={cell.data.value}
        people={cell.data.people}
        initialText={initialValue}
        label={cell.data.field.name}
        autoFocus
        onChange={(value) => onChange(withValue(cell, value))}
        onFinish={(value) => onFinishedEditing(withValue(cell, value), [0, 0])}
      />
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
