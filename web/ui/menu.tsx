import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { keepFocusElsewhere } from './focus.ts';

/** A menu that is longer than the window is scrolled, by keyboard, too. */
export const menuTabIndex = 0;

export const menuClass =
  'z-50 min-w-44 max-w-[min(20rem,calc(100vw-1rem))] max-h-[min(42rem,var(--radix-dropdown-menu-content-available-height))] overflow-y-auto rounded-xl border border-line bg-raised p-1.5 shadow-float animate-appear';
export const menuItemClass =
  'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 outline-none select-none data-[disabled]:opacity-45 data-[highlighted]:bg-sunken cursor-default';

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
  /** It was asked for before it was drawn. */
  startsOpen?: boolean;
}

/** Marks what a menu is about: the right button of the mouse, or a finger that stays, opens the menu in it. */
export const menuRow = { 'data-menu-row': '' };

export const Menu = ({ trigger, children, align = 'start', startsOpen = false }: MenuProps) => {
  const [isOpen, setOpen] = useState(startsOpen);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const row = button.current?.closest('[data-menu-row]');
    const open = (event: Event): void => {
      event.preventDefault();
      setOpen(true);
    };
    row?.addEventListener('contextmenu', open);
    return () => row?.removeEventListener('contextmenu', open);
  }, []);
  return (
    <Radix.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger ref={button} asChild>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={menuClass}
          tabIndex={menuTabIndex}
          onCloseAutoFocus={keepFocusElsewhere}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

interface MenuItemProps {
  icon?: ReactNode;
  children: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

export const MenuItem = ({ icon, children, danger = false, disabled = false, onSelect }: MenuItemProps) => (
  <Radix.Item
    disabled={disabled}
    onSelect={onSelect}
    className={classNames(menuItemClass, danger ? 'text-danger' : 'text-ink')}
  >
    <span className="flex size-4 items-center justify-center opacity-80" aria-hidden>
      {icon}
    </span>
    {children}
  </Radix.Item>
);

interface MenuChoiceProps {
  value: string;
  options: readonly { value: string; label: string; icon: LucideIcon }[];
  onValue: (value: string) => void;
}

/** One of several, the present one marked. */
export const MenuChoice = ({ value, options, onValue }: MenuChoiceProps) => (
  <Radix.RadioGroup value={value} onValueChange={onValue}>
    {options.map(({ value: own, label, icon: Icon }) => (
      <Radix.RadioItem key={own} value={own} className={menuItemClass}>
        <Icon size={16} className="shrink-0 opacity-80" aria-hidden />
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <Radix.ItemIndicator>
          <Check size={15} className="text-accent" aria-hidden />
        </Radix.ItemIndicator>
      </Radix.RadioItem>
    ))}
  </Radix.RadioGroup>
);

export const MenuSeparator = () => <Radix.Separator className="mx-1 my-1.5 h-px bg-line" />;

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2.5 py-1.5 text-[12px] text-ink-faint">{children}</Radix.Label>
);
