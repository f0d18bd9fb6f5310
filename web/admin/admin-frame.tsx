// What the pages for administrators of the instance have in common: the way between them, beside the page or above it.
import { Link } from '@tanstack/react-router';
import { Activity, Boxes, ListChecks, ScrollText, Settings2, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTitle } from '../app/brand.ts';
import { useMe } from '../app/me.ts';
import { NotFoundPage } from '../app/not-found-page.tsx';
import { TopBar } from '../frame/top-bar.tsx';

const pages = [
  { to: '/admin/people', label: 'People', icon: UsersRound },
  { to: '/admin/spaces', label: 'Spaces and bases', icon: Boxes },
  { to: '/admin/settings', label: 'Settings', icon: Settings2 },
  { to: '/admin/jobs', label: 'Jobs', icon: ListChecks },
  { to: '/admin/health', label: 'Health', icon: Activity },
  { to: '/admin/audit', label: 'Audit log', icon: ScrollText },
] as const;

const linkClass =
  'flex shrink-0 items-center gap-2.5 rounded-lg px-3 py-2 font-medium text-ink-soft hover:bg-sunken hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent';

/** On a phone it is wider than the window: the page that is open is in sight. */
const showCurrent = (nav: HTMLElement | null): void =>
  nav?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

const AdminNav = () => (
  <nav
    ref={showCurrent}
    aria-label="Administration"
    className="flex gap-1 overflow-x-auto border-b border-line bg-surface px-3 py-2 lg:w-60 lg:shrink-0 lg:flex-col lg:overflow-y-auto lg:border-r lg:border-b-0 lg:px-3 lg:py-6"
  >
    <p className="hidden px-3 pb-2 text-[13px] font-semibold text-ink-faint lg:block">Administration</p>
    {pages.map(({ to, label, icon: Icon }) => (
      <Link key={to} to={to} className={linkClass}>
        <Icon size={16} aria-hidden className="shrink-0" />
        {label}
      </Link>
    ))}
  </nav>
);

interface AdminFrameProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

const Titled = ({ title, lead, actions, children }: AdminFrameProps) => {
  useTitle(title);
  return (
    <main className="min-h-0 min-w-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-8">
        <div className="mb-6 flex flex-wrap items-start justify-between gap-4">
          <div className="min-w-0 flex-1 basis-64">
            <h1 className="text-[24px] leading-8 font-semibold tracking-tight break-words">{title}</h1>
            {lead !== undefined && <p className="mt-1 max-w-3xl text-ink-soft">{lead}</p>}
          </div>
          {actions}
        </div>
        {children}
      </div>
    </main>
  );
};

/** To everybody else the pages are not there. */
export const AdminFrame = (props: AdminFrameProps) => {
  const { isAdmin } = useMe();
  if (!isAdmin) return <NotFoundPage />;
  return (
    <>
      <TopBar />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <AdminNav />
        <Titled {...props} />
      </div>
    </>
  );
};
