import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface ToolbarButtonProps extends ComponentProps<'button'> {
  icon: ReactNode;
  label: string;
  /** Where the whole of it takes the room of other tools. */
  shortLabel?: string;
  /** Something is set behind it. */
  active?: boolean;
  /** Not one of the tools of the view: they have their words first. */
  isAside?: boolean;
}

/** Icon and word; on a narrow screen, and where not all words fit (`useFittingWords`), the icon alone. */
export const ToolbarButton = ({
  icon,
  label,
  shortLabel = label,
  active = false,
  isAside = false,
  className,
  ...rest
}: ToolbarButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={classNames(
      'flex h-8 shrink-0 items-center gap-1.5 rounded-lg px-2 font-medium transition-colors disabled:opacity-45',
      active ? 'bg-accent-soft text-accent' : 'text-ink-soft hover:bg-sunken hover:text-ink',
      className,
    )}
    {...rest}
  >
    {icon}
    <span
      data-word={isAside ? 'aside' : active ? 'set' : 'unset'}
      className={isAside ? 'hidden @6xl:inline' : 'hidden @xl:inline'}
    >
      {shortLabel}
    </span>
  </button>
);
