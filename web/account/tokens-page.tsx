import { deleteAccessToken } from '@rowhouse/contract/access-token.ts';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { fullTime, timeAgo } from '../ui/time.ts';
import { TopBar } from '../frame/top-bar.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../frame/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { AccountNav } from './account-nav.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { scopesInWords } from './scope-words.ts';
import { tokensQuery } from './queries.ts';

export const TokensPage = () => {
  const tokens = useQuery(tokensQuery);
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<{ id: string; name: string } | null>(null);
  const create = (
    <Button look="primary" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
      New token
    </Button>
  );

  return (
    <>
      <TopBar />
      <Page title="Access tokens" lead="Programs sign in with a token instead of your password." actions={create}>
        <AccountNav />
        <ProblemNote error={tokens.error} />
        {tokens.isPending && <Loading />}
        {tokens.data?.length === 0 && (
          <EmptyState icon={<KeyRound size={20} />} title="No access tokens yet">
            Make one to reach your tables from a script or another service.
          </EmptyState>
        )}
        {tokens.data !== undefined && tokens.data.length > 0 && (
          <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface shadow-card">
            {tokens.data.map((token) => (
              <li key={token.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
                <div className="min-w-0 flex-1 basis-64">
                  <p className="font-medium break-words">{token.name}</p>
                  <p className="text-[13px] text-ink-soft">{scopesInWords(token.scopes)}</p>
                  <p className="text-[13px] text-ink-faint" title={fullTime(token.expiredTime)}>
                    {Date.parse(token.expiredTime) < Date.now() ? 'Expired' : 'Expires'} {timeAgo(token.expiredTime)},{' '}
                    {token.lastUsedTime === undefined ? 'never used' : `last used ${timeAgo(token.lastUsedTime)}`}
                  </p>
                </div>
                <Button size="small" onClick={() => setRevoking(token)} aria-label={`Revoke ${token.name}`}>
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        )}
        {creating && <NewTokenDialog onClose={() => setCreating(false)} />}
        {revoking !== null && (
          <ConfirmDialog
            title={`Revoke ${revoking.name}?`}
            description="Programs that use it lose access immediately."
            action="Revoke token"
            onClose={() => setRevoking(null)}
            onConfirm={async () => {
              await call(deleteAccessToken, { params: { accessTokenId: revoking.id } });
              await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
            }}
          />
        )}
      </Page>
    </>
  );
};
