// Above everything in a base: where you are, who else is here, and you.
import type { ReactNode } from 'react';
import { PanelLeft } from 'lucide-react';
import { UserMenu } from '../frame/user-menu.tsx';
import { NotificationBell } from '../frame/notification/notification-bell.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';

interface TableHeaderProps {
  title: string;
  icon: ReactNode;
  /** Absent while the sidebar is open. */
  onSidebar: (() => void) | undefined;
  actions: ReactNode;
  /** Other pages have a heading of their own. */
  isHeading: boolean;
}

export const TableHeader = ({ title, icon, onSidebar, actions, isHeading }: TableHeaderProps) => {
  const Title = isHeading ? 'h1' : 'p';
  return (
    <header className="flex h-13 shrink-0 items-center gap-2 bg-surface px-3 print:hidden sm:px-4">
      {onSidebar !== undefined && (
        <IconButton label="Tables and views" onClick={onSidebar} className="-ml-1">
          <PanelLeft size={18} />
        </IconButton>
      )}
      <div className="flex min-w-0 flex-1 items-center gap-2">
        {icon !== undefined && (
          <span className="flex shrink-0 text-[17px]" aria-hidden>
            {icon}
          </span>
        )}
        <Title
          className={classNames(
            'truncate tracking-tight',
            isHeading ? 'text-[18px] font-semibold' : 'font-medium text-ink-soft',
          )}
        >
          {title}
        </Title>
      </div>
      {actions}
      <NotificationBell />
      <UserMenu />
    </header>
  );
};
