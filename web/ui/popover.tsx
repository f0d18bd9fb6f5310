import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { keepFocusElsewhere } from './focus.ts';

interface PopoverProps {
  trigger: ReactNode;
  label: string;
  align?: 'start' | 'end' | 'center';
  className?: string;
  /** For those who also open it from elsewhere. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

export const floatClass =
  'z-50 max-w-[calc(100vw-1rem)] rounded-xl border border-line bg-raised shadow-float animate-appear focus:outline-none';

export const Popover = ({
  trigger,
  label,
  align = 'start',
  className = 'p-3',
  open,
  onOpenChange,
  children,
}: PopoverProps) => (
  <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        align={align}
        sideOffset={6}
        collisionPadding={8}
        aria-label={label}
        onCloseAutoFocus={keepFocusElsewhere}
        className={classNames(
          floatClass,
          'max-h-[min(70vh,var(--radix-popover-content-available-height))] overflow-y-auto',
          className,
        )}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
