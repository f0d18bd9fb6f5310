// Tells those whose address is not verified, where the server could verify it: on every page but the one that does it.
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { MailWarning } from 'lucide-react';
import { signInOptionsQuery, useMe } from './me.ts';

export const VerifyBanner = () => {
  const me = useMe();
  const sendsEmail = useQuery({ ...signInOptionsQuery, enabled: !me.isEmailVerified }).data?.sendsEmail === true;
  const isThere = useRouterState({ select: ({ location }) => location.pathname === '/account' });
  if (me.isEmailVerified || !sendsEmail || isThere) return null;
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-center text-[13px] font-medium text-warn"
    >
      <MailWarning size={15} className="shrink-0" aria-hidden />
      <span>
        Your address {me.email} is not verified yet. Until it is, invitations to it do not reach you.{' '}
        <Link to="/account" className="underline">
          Verify it
        </Link>
      </span>
    </p>
  );
};
