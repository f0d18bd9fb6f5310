// Someone followed an invitation link: let them in and take them there.
import { acceptInvitation, describeInvitation } from '@rowhouse/contract/invitation.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserRoundPlus } from 'lucide-react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { useTitle } from '../app/brand.ts';
import { fromHere } from '../app/from-here.ts';
import { TopBar } from '../frame/top-bar.tsx';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

export const InvitePage = () => {
  useTitle('Invitation');
  const me = useMe();
  const body = useSearch({ from: '/signed-in/invite' });
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: async () => {
      const leadOn = fromHere();
      const { spaceId, baseId } = await call(acceptInvitation, { body });
      await queryClient.invalidateQueries();
      await leadOn(() =>
        baseId !== null
          ? navigate({ to: '/base/$baseId', params: { baseId } })
          : spaceId !== null
            ? navigate({ to: '/space/$spaceId', params: { spaceId } })
            : navigate({ to: '/' }),
      );
    },
  });
  const isWhole = body.invitationId !== '' && body.invitationCode !== '';
  const invitation = useQuery({
    queryKey: ['invitation', body.invitationId],
    queryFn: () => call(describeInvitation, { body }),
    enabled: isWhole,
    retry: false,
  });
  const { data: described } = invitation;

  return (
    <>
      <TopBar />
      <main className="flex flex-1 items-center justify-center p-4">
        <div className="flex w-full max-w-md flex-col items-center gap-5 rounded-2xl border border-line bg-surface p-8 text-center shadow-card">
          <span
            className="flex size-12 items-center justify-center rounded-full bg-accent-soft text-accent"
            aria-hidden
          >
            <UserRoundPlus size={22} />
          </span>
          <div>
            <h1 className="text-xl font-semibold tracking-tight">
              {!isWhole
                ? 'This link is incomplete'
                : described === undefined
                  ? 'Invitation'
                  : `Join ${described.resourceName}`}
            </h1>
            <p className="mt-1 text-ink-soft">
              {!isWhole
                ? 'Open it again from the message it came in, or ask for a new one.'
                : described !== undefined &&
                  `${described.invitedBy} invited you to the ${described.resourceType} ${described.resourceName} as ${described.role}.`}
            </p>
            {described !== undefined && (
              <p className="mt-1 text-[13px] text-ink-faint">
                You are signed in as {me.name} ({me.email}).
              </p>
            )}
          </div>
          <ProblemNote error={accept.error ?? invitation.error} />
          {described !== undefined && (
            <Button look="primary" size="large" busy={accept.isPending} onClick={() => accept.mutate()}>
              Accept invitation
            </Button>
          )}
        </div>
      </main>
    </>
  );
};
