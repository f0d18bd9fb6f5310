import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Spinner } from './loading.tsx';

const looks = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-strong shadow-card',
  secondary: 'bg-surface text-ink border border-line-strong hover:bg-sunken shadow-card',
  ghost: 'text-ink-soft hover:bg-sunken hover:text-ink',
  danger: 'bg-danger text-danger-ink hover:bg-danger-strong shadow-card',
} as const;

const sizes = {
  small: 'h-8 px-2.5 text-[13px] gap-1.5',
  medium: 'h-9 px-3.5 gap-2',
  large: 'h-11 px-5 text-[15px] gap-2',
} as const;

export interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
  busy?: boolean;
  icon?: ReactNode;
}

export const Button = ({
  look = 'secondary',
  size = 'medium',
  busy = false,
  icon,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) => (
  <button
    type={type}
    disabled={disabled === true || busy}
    aria-busy={busy || undefined}
    className={classNames(
      'inline-flex shrink-0 items-center justify-center rounded-lg font-medium whitespace-nowrap transition-colors select-none disabled:cursor-not-allowed disabled:opacity-55',
      looks[look],
      sizes[size],
      className,
    )}
    {...rest}
  >
    {busy ? <Spinner /> : icon}
    {children}
  </button>
);
