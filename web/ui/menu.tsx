import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export const menuClass = 'z-50 min-w-44 max-w-[calc(100vw-1rem)] rounded-xl border border-line bg-raised p-1.5 shadow-float animate-appear';
export const menuItemClass =
  'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 outline-none select-none data-[disabled]:opacity-45 data-[highlighted]:bg-sunken cursor-default';

export interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}

export const Menu = ({ trigger, children, align = 'start' }: MenuProps) => (
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content align={align} sideOffset={6} collisionPadding={8} className={menuClass}>
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

export interface MenuItemProps {
  icon?: ReactNode;
  children: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

export const MenuItem = ({ icon, children, danger = false, disabled = false, onSelect }: MenuItemProps) => (
  <Radix.Item disabled={disabled} onSelect={onSelect} className={classNames(menuItemClass, danger ? 'text-danger' : 'text-ink')}>
    <span className="flex size-4 items-center justify-center opacity-80" aria-hidden>
      {icon}
    </span>
    {children}
  </Radix.Item>
);

export const MenuSeparator = () => <Radix.Separator className="mx-1 my-1.5 h-px bg-line" />;

export const MenuLabel = ({ children }: { children: ReactNode }) => <Radix.Label className="px-2.5 py-1.5 text-[12px] text-ink-faint">{children}</Radix.Label>;
