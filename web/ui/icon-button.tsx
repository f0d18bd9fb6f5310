import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Said by screen readers and shown when hovered. */
  label: string;
  children: ReactNode;
  active?: boolean;
}

export const IconButton = ({ label, children, className, active = false, ...rest }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={classNames(
      'inline-flex size-8 shrink-0 items-center justify-center rounded-lg transition-colors disabled:opacity-40',
      active ? 'bg-accent-soft text-accent' : 'text-ink-soft hover:bg-sunken hover:text-ink',
      className,
    )}
    {...rest}
  >
    {children}
  </button>
);
