import { deleteOauthClient, revokeOauthAccess, updateOauthClient } from '@rowhouse/contract/oauth.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { ErrorPage } from '../app/error-page.tsx';
import { queryClient } from '../app/query-client.ts';
import { awayFrom } from '../app/from-here.ts';
import { TopBar } from '../frame/top-bar.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../frame/page.tsx';
import { Section } from '../ui/section.tsx';
import { showToast } from '../ui/toast.ts';
import { AccountNav } from './account-nav.tsx';
import { OauthAppForm } from './oauth-app-form.tsx';
import { oauthAppQuery, oauthAppsQuery } from './queries.ts';
import { OauthSecrets } from './oauth-secrets.tsx';

export const OauthAppPage = () => {
  const { clientId } = useParams({ from: '/signed-in/account/apps/$clientId' });
  const { data: app, error } = useQuery(oauthAppQuery(clientId));
  const [asking, setAsking] = useState<'revoke' | 'delete' | null>(null);
  const close = (): void => setAsking(null);
  const navigate = useNavigate();
  if (app === undefined) {
    return (
      <>
        <TopBar />
        {error === null ? <Loading /> : <ErrorPage error={error} />}
      </>
    );
  }

  return (
    <>
      <TopBar />
      <Page title={app.name} lead={app.description}>
        <AccountNav />
        <div className="flex flex-col gap-5">
          <Section
            title="Client ID"
            lead="Identifies the application when it asks for access. It is not a secret."
            actions={<CopyButton text={clientId} label="Copy client ID" />}
          >
            <code className="font-mono text-[13px] break-all select-all">{clientId}</code>
          </Section>
          <OauthSecrets app={app} />
          <Section title="Details" lead="Scopes that you remove are also removed from access that was already given.">
            <OauthAppForm
              key={clientId}
              app={app}
              action="Save"
              onSubmit={async (body) => {
                const saved = await call(updateOauthClient, { params: { clientId }, body });
                queryClient.setQueryData(oauthAppQuery(clientId).queryKey, saved);
                await queryClient.invalidateQueries({ queryKey: oauthAppsQuery.queryKey });
                showToast({ kind: 'note', title: 'The application was saved.' });
              }}
            />
          </Section>
          <Section
            title="Everyone’s access"
            lead="Ends the access of everyone who allowed this application. They can allow it again."
          >
            <Button onClick={() => setAsking('revoke')}>Revoke everyone’s access</Button>
          </Section>
          <Section title="Delete" lead="All of its access ends immediately. This cannot be undone.">
            <Button look="danger" onClick={() => setAsking('delete')}>
              Delete application
            </Button>
          </Section>
        </div>
        {asking === 'revoke' && (
          <ConfirmDialog
            title={`Revoke the access of ${app.name}?`}
            description="Its tokens end immediately for everyone, including you. The application and its secrets stay."
            action="Revoke access"
            onClose={close}
            onConfirm={async () => {
              await call(revokeOauthAccess, { params: { clientId } });
              showToast({ kind: 'note', title: `${app.name} no longer has access to any account.` });
            }}
          />
        )}
        {asking === 'delete' && (
          <ConfirmDialog
            title={`Delete ${app.name}?`}
            description="Its secrets and the access people gave it end immediately. This cannot be undone."
            action="Delete permanently"
            onClose={close}
            onConfirm={async () => {
              await call(deleteOauthClient, { params: { clientId } });
              await awayFrom(clientId, () => navigate({ to: '/account/apps' }));
              queryClient.removeQueries({ queryKey: oauthAppQuery(clientId).queryKey });
              await queryClient.invalidateQueries({ queryKey: oauthAppsQuery.queryKey });
            }}
          />
        )}
      </Page>
    </>
  );
};
