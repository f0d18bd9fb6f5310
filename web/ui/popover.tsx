import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface PopoverProps {
  trigger: ReactNode;
  label: string;
  align?: 'start' | 'end' | 'center';
  children: ReactNode;
}

export const Popover = ({ trigger, label, align = 'start', children }: PopoverProps) => (
  <Radix.Root>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        align={align}
        sideOffset={6}
        collisionPadding={8}
        aria-label={label}
        className="z-50 max-h-[70vh] max-w-[calc(100vw-1rem)] overflow-y-auto rounded-xl border border-line bg-raised p-3 shadow-float animate-appear focus:outline-none"
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
