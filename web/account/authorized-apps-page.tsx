import { revokeOauthToken } from '@rowhouse/contract/oauth.ts';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { fullTime, timeAgo } from '../ui/time.ts';
import { TopBar } from '../frame/top-bar.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../frame/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { AccountNav } from './account-nav.tsx';
import { authorizedAppsQuery } from './queries.ts';
import { scopeLines } from './scope-words.ts';

export const AuthorizedAppsPage = () => {
  const apps = useQuery(authorizedAppsQuery);
  const [revoking, setRevoking] = useState<{ clientId: string; name: string } | null>(null);

  return (
    <>
      <TopBar />
      <Page title="Authorised applications" lead="Apps that can act on your behalf.">
        <AccountNav />
        <ProblemNote error={apps.error} />
        {apps.isPending && <Loading />}
        {apps.data?.length === 0 && (
          <EmptyState icon={<ShieldCheck size={20} />} title="No authorised applications">
            When an application asks for access and you allow it, it is listed here.
          </EmptyState>
        )}
        {apps.data !== undefined && apps.data.length > 0 && (
          <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface shadow-card">
            {apps.data.map((app) => {
              const lines = scopeLines(app.scopes);
              return (
                <li key={app.clientId} className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
                  <Avatar name={app.name} seed={app.clientId} />
                  <div className="min-w-0 flex-1 basis-52">
                    <p className="font-medium break-words">{app.name}</p>
                    <a
                      href={app.homepage}
                      target="_blank"
                      rel="noopener noreferrer"
                      className="text-[13px] break-all text-accent underline underline-offset-2"
                    >
                      {app.homepage}
                    </a>
                    {app.description !== undefined && (
                      <p className="mt-1 break-words text-ink-soft">{app.description}</p>
                    )}
                    <ul aria-label={`What ${app.name} may do`} className="mt-2 text-[13px] text-ink-soft">
                      {lines.length === 0 && <li>It only knows who you are.</li>}
                      {lines.map(({ title, words }) => (
                        <li key={title}>
                          <strong className="font-medium text-ink">{title}:</strong> {words}
                        </li>
                      ))}
                    </ul>
                    <p
                      className="mt-2 text-[13px] break-words text-ink-faint"
                      title={app.lastUsedTime === undefined ? undefined : fullTime(app.lastUsedTime)}
                    >
                      {app.lastUsedTime === undefined ? 'Never used' : `Last used ${timeAgo(app.lastUsedTime)}`}, made
                      by {app.createdUser.name} ({app.createdUser.email})
                    </p>
                  </div>
                  <Button size="small" onClick={() => setRevoking(app)} aria-label={`Revoke ${app.name}`}>
                    Revoke
                  </Button>
                </li>
              );
            })}
          </ul>
        )}
        {revoking !== null && (
          <ConfirmDialog
            title={`Revoke ${revoking.name}?`}
            description="It loses access immediately. You can allow it again later."
            action="Revoke access"
            onClose={() => setRevoking(null)}
            onConfirm={async () => {
              await call(revokeOauthToken, { params: { clientId: revoking.clientId } });
              await queryClient.invalidateQueries({ queryKey: authorizedAppsQuery.queryKey });
            }}
          />
        )}
      </Page>
    </>
  );
};
