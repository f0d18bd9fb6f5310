// The editor of one cell, over the cell. It belongs to a record and a field from the moment it opens; the grid moves
// below it, it follows its row, and nothing turns it to another.
import type { Rectangle } from '@glideapps/glide-data-grid';
import type { Field } from '@rowhouse/contract/field.ts';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { CellEditor, editingOf } from '../../../field-type/cell-editor.tsx';
import type { BasePerson } from '../../../record-data/queries.ts';

/** Where the cursor goes when the editor closes: columns and rows further, or to a new record below. */
export type Movement = readonly [columns: -1 | 0 | 1, rows: -1 | 0 | 1] | 'new below';

interface CellOverlayProps {
  field: Field;
  value: unknown;
  recordId: string;
  tableId: string;
  people: readonly BasePerson[];
  /** What was typed on the cell to open it. */
  initialText: string | undefined;
  /** Why the server did not take what stands in the cell, or what happened to its record. */
  note: string | undefined;
  /** Where the cell is on the screen now; undefined while its row or column is not shown. */
  bounds: () => Rectangle | undefined;
  /** The draft, if anything was changed. */
  onFinish: (draft: { value: unknown } | undefined, movement: Movement) => void;
}

/** As the grid draws them (grid-theme.ts, draw-field.ts). */
const lineHeight = 18.2;
const wrapsFrom = 45;

/** Several that are picked from a list are picked: Escape closes the list, it does not take it back. */
const isKeptOnEscape = ({ type, isMultipleCellValue }: Field): boolean =>
  editingOf(type).frame === 'list' && isMultipleCellValue === true;

const placeOf = ({ x, y }: Rectangle, { type }: Field): { left: number; top: number } => {
  const { size } = editingOf(type);
  return size === undefined
    ? { left: x, top: y }
    : {
        left: Math.max(4, Math.min(x, window.innerWidth - size.width)),
        top: Math.max(4, Math.min(y, window.innerHeight - size.height)),
      };
};

/** What a key that ends editing leads to. */
const movementOf = ({ key, shiftKey, altKey }: KeyboardEvent, { type }: Field): Movement | undefined => {
  if (key === 'Escape') return [0, 0];
  // In a long text it is a new line.
  if (key === 'Enter')
    return shiftKey || altKey ? (editingOf(type).frame === 'lines' ? undefined : 'new below') : [0, 1];
  if (key === 'Tab') return [shiftKey ? -1 : 1, 0];
  return undefined;
};

export const CellOverlay = ({
  field,
  value,
  recordId,
  tableId,
  people,
  initialText,
  note,
  bounds,
  onFinish,
}: CellOverlayProps) => {
  const frame = useRef<HTMLDivElement>(null);
  const draft = useRef<{ value: unknown }>(undefined);
  const isDone = useRef(false);
  const [at, setAt] = useState(bounds);
  const finish = (last: { value: unknown } | undefined, movement: Movement): void => {
    if (isDone.current) return;
    isDone.current = true;
    onFinish(last, movement);
  };
  const finishRef = useRef(finish);
  finishRef.current = finish;

  // With every drawing of the grid: rows come and go above, columns change their width.
  useLayoutEffect(() => {
    const now = bounds();
    setAt((before) =>
      now === undefined ||
      (before !== undefined &&
        before.x === now.x &&
        before.y === now.y &&
        before.width === now.width &&
        before.height === now.height)
        ? before
        : now,
    );
  });
  useEffect(() => {
    // The library gives the focus to the canvas a frame after a click or a key, even if an editor has opened since:
    // the editor takes it back in the same frame, before another key can come.
    const next = requestAnimationFrame(() => {
      if (frame.current?.contains(document.activeElement) === false)
        frame.current.querySelector<HTMLElement>('input, textarea, [tabindex]')?.focus();
    });
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && frame.current?.contains(target) !== true) finishRef.current(draft.current, [0, 0]);
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    return () => {
      cancelAnimationFrame(next);
      document.removeEventListener('pointerdown', onPointerDown, true);
      // Another screen, another view: what was typed is written all the same.
      finishRef.current(draft.current, [0, 0]);
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    // This key is the input method's: it chooses among the characters it offers.
    if (event.nativeEvent.isComposing) return;
    const movement = movementOf(event, field);
    if (movement === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    finish(event.key === 'Escape' && !isKeptOnEscape(field) ? undefined : draft.current, movement);
  };

  const { frame: shape } = editingOf(field.type);
  const [isList, isLong] = [shape === 'list', shape === 'lines'];
  // The first line stays where the grid has drawn it: as high as the text leaves room above, in rows that wrap it.
  useLayoutEffect(() => {
    const area = isLong ? frame.current?.querySelector('textarea') : undefined;
    if (area == null || at === undefined || frame.current === null) return;
    const { rows } = area;
    area.rows = 1;
    const lines = at.height > wrapsFrom ? Math.round(area.scrollHeight / lineHeight) : 1;
    area.rows = rows;
    frame.current.style.paddingTop = `${Math.max(4, (at.height - lines * lineHeight) / 2) - 2}px`;
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const portal = document.getElementById('portal');
  if (portal === null) return null;
  return createPortal(
    <div
      ref={frame}
      role="presentation"
      className={`fixed z-30 flex flex-col rounded-[3px] border-2 border-accent bg-surface text-[13px] ${isList ? 'rounded-xl shadow-float' : isLong ? 'pr-2 pb-1.5 pl-[9px] leading-[1.4] shadow-float' : 'justify-center px-[9px] pb-px'}`}
      // What is not visible cannot have the focus.
      style={
        at === undefined
          ? { opacity: 0 }
          : {
              ...placeOf(at, field),
              minWidth: at.width + 1,
              ...(isList
                ? {}
                : isLong
                  ? { width: Math.max(at.width + 1, 260), minHeight: at.height + 1 }
                  : { width: at.width + 1, minHeight: at.height + 1 }),
            }
      }
      onKeyDown={onKeyDown}
      // Keys and clipboard are the editor's while it is open.
      onCopy={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
    >
      <CellEditor
        field={field}
        value={value}
        recordId={recordId}
        tableId={tableId}
        people={people}
        initialText={initialText}
        label={field.name}
        autoFocus
        onChange={(next) => (draft.current = { value: next })}
        onFinish={(next) => finish({ value: next }, [0, 0])}
      />
      {note !== undefined && (
        <p role="alert" className="max-w-80 py-1 text-[12px] text-danger">
          {note}
        </p>
      )}
    </div>,
    portal,
  );
};
