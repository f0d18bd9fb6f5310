import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NotificationBell } from './notification/notification-bell.tsx';
import { Logo } from '../ui/logo.tsx';
import { useFreshBrand } from '../app/brand.ts';
import { UserMenu } from './user-menu.tsx';

const Brand = () => (
  <span className="max-w-56 truncate text-[15px] font-semibold tracking-tight">{useFreshBrand()}</span>
);

/** Way home on the left, the place in the middle, the person on the right. */
export const TopBar = ({ children, actions }: { children?: ReactNode; actions?: ReactNode }) => (
  <header className="flex h-13 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 sm:gap-3 sm:px-4">
    <Link to="/" aria-label="Home" className="flex items-center gap-2.5 rounded-lg">
      <Logo />
      {children === undefined && <Brand />}
    </Link>
    <div className="flex min-w-0 flex-1 items-center gap-2">{children}</div>
    {actions}
    <NotificationBell />
    <UserMenu />
  </header>
);
