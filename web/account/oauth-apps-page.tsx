import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AppWindow, ChevronRight, Plus } from 'lucide-react';
import { useState } from 'react';
import { TopBar } from '../frame/top-bar.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../frame/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { AccountNav } from './account-nav.tsx';
import { NewOauthAppDialog } from './new-oauth-app-dialog.tsx';
import { oauthAppsQuery } from './queries.ts';

export const OauthAppsPage = () => {
  const apps = useQuery(oauthAppsQuery);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button look="primary" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
      New application
    </Button>
  );

  return (
    <>
      <TopBar />
      <Page
        title="OAuth applications"
        lead="Your applications that ask people for access to their account."
        actions={create}
      >
        <AccountNav />
        <ProblemNote error={apps.error} />
        {apps.isPending && <Loading />}
        {apps.data?.length === 0 && (
          <EmptyState icon={<AppWindow size={20} />} title="No OAuth applications yet">
            Register one to let people connect their tables to it without giving it a password or a token.
          </EmptyState>
        )}
        {apps.data !== undefined && apps.data.length > 0 && (
          <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface shadow-card">
            {apps.data.map((app) => (
              <li key={app.clientId}>
                <Link
                  to="/account/apps/$clientId"
                  params={{ clientId: app.clientId }}
                  className="flex items-center gap-4 px-5 py-4 -outline-offset-2 hover:bg-sunken"
                >
                  <Avatar name={app.name} seed={app.clientId} />
                  <span className="min-w-0 flex-1">
                    <span className="block font-medium break-words">{app.name}</span>
                    {app.description !== undefined && (
                      <span className="block text-[13px] break-words text-ink-soft">{app.description}</span>
                    )}
                    <span className="block text-[13px] break-all text-ink-faint">{app.homepage}</span>
                  </span>
                  <ChevronRight size={18} className="shrink-0 text-ink-faint" aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
        )}
        {creating && <NewOauthAppDialog onClose={() => setCreating(false)} />}
      </Page>
    </>
  );
};
