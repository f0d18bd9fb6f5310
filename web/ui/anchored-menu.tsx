import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { keepFocusElsewhere } from './focus.ts';
import { menuClass, menuTabIndex } from './menu.tsx';

interface AnchoredMenuProps {
  /** Where on the screen, when no button opened it: a cell, a header of the grid. */
  at: { x: number; y: number; width: number; height: number };
  onClose: () => void;
  /** Takes the focus when the menu has closed; there is no button that it could go back to. */
  returnFocus?: (() => void) | undefined;
  children: ReactNode;
}

export const AnchoredMenu = ({ at, onClose, returnFocus, children }: AnchoredMenuProps) => (
  <Radix.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
    <Radix.Trigger asChild>
      <span
        aria-hidden
        tabIndex={-1}
        className="pointer-events-none fixed"
        style={{ left: at.x, top: at.y, width: at.width, height: at.height }}
      />
    </Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        align="start"
        sideOffset={2}
        collisionPadding={8}
        // Also when the phone is turned and its place is out of sight.
        sticky="always"
        className={menuClass}
        tabIndex={menuTabIndex}
        onCloseAutoFocus={(event) => {
          keepFocusElsewhere(event);
          if (event.defaultPrevented || returnFocus === undefined) return;
          event.preventDefault();
          returnFocus();
        }}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
