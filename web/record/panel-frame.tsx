// The frame of what opens beside a table: as wide as the person made it, or over the whole table.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { createStored } from '../app/stored.ts';
import { classNames } from '../ui/class-names.ts';

/** A tab of a panel. */
export const tabClass =
  'rounded-t border-b-2 border-transparent px-1 pb-2 font-medium text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink';

interface Size {
  width: number;
  isWide: boolean;
}

const narrowest = 320;
const usual: Size = { width: 440, isWide: false };

const size = createStored<Size>('rowhouse.panel', usual, (value) => {
  const { width, isWide } = value as Partial<Size>;
  return typeof width === 'number' && typeof isWide === 'boolean' ? { width, isWide } : undefined;
});

export const usePanelIsWide = (): boolean => size.use().isWide;
export const togglePanelWide = (): void => size.write({ ...size.read(), isWide: !size.read().isWide });

interface PanelFrameProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** Unless something in it is typed into already. */
const focusOnce = (element: HTMLElement | null): void => {
  if (element?.contains(document.activeElement) === false) element.focus();
};

export const PanelFrame = ({ label, onClose, children }: PanelFrameProps) => {
  const { width, isWide } = size.use();
  const dragged = useRef<{ x: number; width: number } | undefined>(undefined);
  const setWidth = (wanted: number): void =>
    size.write({ isWide: false, width: Math.round(Math.max(narrowest, Math.min(wanted, window.innerWidth - 80))) });
  const drag = (event: PointerEvent): void => {
    if (dragged.current !== undefined) setWidth(dragged.current.width + dragged.current.x - event.clientX);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    setWidth(width + (event.key === 'ArrowLeft' ? 32 : -32));
    event.preventDefault();
  };
  return (
    <aside
      aria-label={label}
      tabIndex={-1}
      ref={focusOnce}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && onClose()}
      className={classNames(
        'absolute inset-y-0 right-0 z-20 flex w-full max-w-full flex-col border-l border-line bg-surface shadow-float outline-none animate-slide',
        !isWide && 'sm:w-[var(--panel-width)]',
      )}
      style={{ ['--panel-width' as string]: `${width}px` }}
    >
      {!isWide && (
        <div
          role="separator"
          aria-orientation="vertical"
          aria-label="Width of the panel"
          aria-valuemin={narrowest}
          aria-valuemax={window.innerWidth - 80}
          aria-valuenow={width}
          tabIndex={0}
          onKeyDown={onKey}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            dragged.current = { x: event.clientX, width };
          }}
          onPointerMove={drag}
          onPointerUp={() => (dragged.current = undefined)}
          onDoubleClick={() => size.write(usual)}
          className="absolute inset-y-0 -left-1 z-10 hidden w-2 cursor-col-resize touch-none hover:bg-accent/30 focus-visible:bg-accent/40 focus-visible:outline-none sm:block"
        />
      )}
      {children}
    </aside>
  );
};
