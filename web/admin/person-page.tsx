// One account: what it is signed in with, where it has roles, and what an administrator can do to it.
import { type AdminToken, endUserSession, revokeUserToken } from '@rowhouse/contract/admin-user.ts';
import type { Session } from '@rowhouse/contract/session.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../app/call.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Mark } from '../ui/mark.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { fullTime, timeAgo } from '../ui/time.ts';
import { AdminFrame } from './admin-frame.tsx';
import { ListState } from './list-state.tsx';
import { PersonActs } from './person-acts.tsx';
import { PersonMarks } from './person-marks.tsx';
import { personQuery, reloadAdmin } from './queries.ts';

const Ending = ({
  title,
  detail,
  action,
  label,
  end,
}: {
  title: string;
  detail: string;
  action: string;
  label: string;
  end: () => Promise<unknown>;
}) => {
  const ending = useMutation({ mutationFn: end, onSettled: reloadAdmin });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words">{title}</p>
        <p className="text-[13px] text-ink-soft">{detail}</p>
        <ProblemNote error={ending.error} />
      </div>
      <Button size="small" busy={ending.isPending} aria-label={label} onClick={() => ending.mutate()}>
        {action}
      </Button>
    </li>
  );
};

const SessionRow = ({ userId, session }: { userId: string; session: Session }) => {
  const device = session.device === '' ? 'Unknown program' : session.device;
  return (
    <Ending
      title={device}
      detail={`Last used ${timeAgo(session.lastSeenTime)}${session.ip === null ? '' : `, from ${session.ip}`}`}
      action="Sign out"
      label={`Sign out ${device}`}
      end={() => call(endUserSession, { params: { userId, sessionId: session.id } })}
    />
  );
};

const TokenRow = ({ userId, token }: { userId: string; token: AdminToken }) => (
  <Ending
    title={token.name}
    detail={[
      token.isUnlimited ? 'May do everything' : 'Limited',
      token.lastUsedTime === null ? 'never used' : `last used ${timeAgo(token.lastUsedTime)}`,
      `expires ${timeAgo(token.expiredTime)}`,
    ].join(', ')}
    action="Revoke"
    label={`Revoke ${token.name}`}
    end={() => call(revokeUserToken, { params: { userId, tokenId: token.id } })}
  />
);

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[13px] text-ink-faint">{term}</dt>
    <dd className="break-words">{children}</dd>
  </div>
);

const none = 'text-ink-soft';

const Person = ({ userId }: { userId: string }) => {
  const { data: person, error, isPending, refetch } = useQuery(personQuery(userId));
  return (
    <AdminFrame
      title={person?.name ?? 'Person'}
      lead={
        <Link to="/admin/people" className="inline-flex items-center gap-1.5 hover:text-ink hover:underline">
          <ArrowLeft size={15} aria-hidden /> All people
        </Link>
      }
      actions={person !== undefined && <PersonActs person={person} />}
    >
      <ListState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {person !== undefined && (
          <div className="flex flex-col gap-5">
            <Section title="Account">
              <div className="flex flex-wrap items-center gap-4">
                <Avatar name={person.name} seed={person.id} picture={person.avatar} size="large" />
                <div className="min-w-0 flex-1 basis-48">
                  <p className="break-words">
                    {person.email}
                    {!person.isEmailVerified && <span className="text-ink-faint"> (not verified)</span>}
                  </p>
                  <p className="mt-1 flex flex-wrap gap-1.5">
                    <PersonMarks person={person} />
                  </p>
                </div>
              </div>
              <dl className="mt-5 grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
                <Fact term="Created">{fullTime(person.createdTime)}</Fact>
                <Fact term="Last sign-in">
                  {person.lastSignTime === null ? 'Never' : fullTime(person.lastSignTime)}
                </Fact>
                <Fact term="Signs in with">
                  {[
                    ...(person.hasPassword ? ['a password'] : []),
                    ...(person.identities > 0
                      ? [person.identities === 1 ? 'one identity' : `${person.identities} identities`]
                      : []),
                  ].join(' and ') || 'nothing yet'}
                </Fact>
                <Fact term="Second factor">{person.hasSecondFactor ? 'On' : 'Off'}</Fact>
                <Fact term="Takes a seat">{person.billable ? 'Yes' : 'No'}</Fact>
                <Fact term="Id">
                  <span className="font-mono text-[13px]">{person.id}</span>
                </Fact>
              </dl>
            </Section>
            <p className="flex flex-wrap gap-x-4 gap-y-1">
              <Link to="/admin/audit" search={{ user: userId }} className="font-medium text-accent hover:underline">
                What they did
              </Link>
              <Link to="/admin/audit" search={{ about: userId }} className="font-medium text-accent hover:underline">
                What was done to them
              </Link>
            </p>
            <Section title="Sessions" lead="Where they are signed in.">
              {person.sessions.length === 0 ? (
                <p className={none}>Signed in nowhere.</p>
              ) : (
                <ul aria-label="Sessions" className="divide-y divide-line">
                  {person.sessions.map((session) => (
                    <SessionRow key={session.id} userId={userId} session={session} />
                  ))}
                </ul>
              )}
            </Section>
            <Section title="Access tokens" lead="What they let programs do in their name.">
              {person.tokens.length === 0 && person.applications.length === 0 ? (
                <p className={none}>No access tokens, and no application acts for them.</p>
              ) : (
                <ul aria-label="Access tokens" className="divide-y divide-line">
                  {person.tokens.map((token) => (
                    <TokenRow key={token.id} userId={userId} token={token} />
                  ))}
                  {person.applications.map(({ clientId, name }) => (
                    <li key={clientId} className="py-3">
                      <p className="font-medium">{name}</p>
                      <p className="text-[13px] text-ink-soft">Application that they allowed to act for them</p>
                    </li>
                  ))}
                </ul>
              )}
            </Section>
            <Section title="Spaces" lead="Where they have a role on the whole space.">
              {person.spaces.length === 0 ? (
                <p className={none}>None.</p>
              ) : (
                <ul aria-label="Spaces" className="divide-y divide-line">
                  {person.spaces.map((space) => (
                    <li key={space.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
                      <span className="min-w-0 flex-1 truncate font-medium">{space.name}</span>
                      {space.isOnlyOwner && <Mark tone="warn">Only owner</Mark>}
                      <span className="text-ink-soft capitalize">{space.role}</span>
                    </li>
                  ))}
                </ul>
              )}
            </Section>
          </div>
        )}
      </ListState>
    </AdminFrame>
  );
};

export const PersonPage = () => {
  const { userId } = useParams({ from: '/signed-in/admin/people/$userId' });
  return <Person key={userId} userId={userId} />;
};
