// Where the account is signed in, with a way to end each.
import { endOtherSessions, endSession, listSessions, type Session } from '@rowhouse/contract/session.ts';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { fullTime, timeAgo } from '../ui/time.ts';
import { showToast } from '../ui/toast.ts';

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(listSessions, { signal }),
});

const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });

const deviceOf = ({ device }: Session): string => (device === '' ? 'Unknown program' : device);

const SessionRow = ({ session }: { session: Session }) => {
  const end = useMutation({
    mutationFn: () => call(endSession, { params: { sessionId: session.id } }),
    onSettled: reload,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{deviceOf(session)}</p>
        <p className="text-[13px] text-ink-soft" title={fullTime(session.lastSeenTime)}>
          {session.isCurrent ? 'This session' : `Last used ${timeAgo(session.lastSeenTime)}`}
          {session.ip !== null && `, from ${session.ip}`}
        </p>
        <p className="text-[13px] text-ink-faint" title={fullTime(session.createdTime)}>
          Signed in {timeAgo(session.createdTime)}
        </p>
        <ProblemNote error={end.error} />
      </div>
      {!session.isCurrent && (
        <Button
          size="small"
          busy={end.isPending}
          onClick={() => end.mutate()}
          aria-label={`Sign out ${deviceOf(session)}`}
        >
          Sign out
        </Button>
      )}
    </li>
  );
};

export const SessionsSection = () => {
  const { data, error, isPending } = useQuery(sessionsQuery);
  const [isAsking, setAsking] = useState(false);
  const others = data?.sessions.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Section
      title="Where you are signed in"
      lead="If you do not know one of these, sign it out and change your password."
      actions={
        others.length > 0 && (
          <Button size="small" onClick={() => setAsking(true)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data !== undefined && (
        <ul aria-label="Sessions" className="divide-y divide-line">
          {data.sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere else?"
          description="All other browsers and devices have to sign in again. Access tokens stay valid."
          action="Sign out"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const { ended } = await call(endOtherSessions, {});
            await reload();
            showToast({
              kind: 'note',
              title: ended === 1 ? 'Signed out one session.' : `Signed out ${ended} sessions.`,
            });
          }}
        />
      )}
    </Section>
  );
};
