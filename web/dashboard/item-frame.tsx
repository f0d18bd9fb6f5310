// What stands around an item of a dashboard: its title and what can be done with it.
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import { menuRow } from '../ui/menu.tsx';

interface ItemFrameProps {
  name: string;
  description?: string | undefined;
  isText: boolean;
  grip: ReactNode;
  actions: ReactNode;
  children: ReactNode;
}

export const ItemFrame = ({ name, description, isText, grip, actions, children }: ItemFrameProps) => (
  <section
    aria-label={name}
    {...menuRow}
    className={classNames(
      'relative flex h-full min-h-0 flex-col rounded-2xl border p-4',
      isText ? 'border-transparent hover:border-line' : 'border-line bg-surface shadow-card',
    )}
  >
    <div className={classNames('mb-1 flex min-h-7 items-center gap-1', isText && 'absolute top-1 right-1 z-10')}>
      {grip}
      {!isText && (
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold" title={name}>
            {name}
          </h2>
          {description !== undefined && <p className="truncate text-[13px] text-ink-faint">{description}</p>}
        </div>
      )}
      {actions}
    </div>
    <div className="min-h-0 flex-1 overflow-hidden">{children}</div>
  </section>
);
