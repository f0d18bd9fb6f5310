import { signUp } from '@rowhouse/contract/auth.ts';
import { Link, useSearch } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { AuthFrame } from './auth-frame.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { useEnter } from './use-enter.ts';

/** Whoever comes from an invitation brings its secret: an address alone lets nobody in. */
const invitationIn = (wanted: string | undefined): { invitationId?: string; invitationCode?: string } => {
  const { pathname, searchParams } = new URL(wanted ?? '/', window.location.origin);
  const [invitationId, invitationCode] = [searchParams.get('invitationId'), searchParams.get('invitationCode')];
  return pathname === '/invite' && invitationId !== null && invitationCode !== null ? { invitationId, invitationCode } : {};
};

export const SignUpPage = () => {
  const search = useSearch({ from: '/signup' });
  const enter = useEnter(search.redirect);
  return (
    <AuthFrame
      title="Create your account"
      lead="Your first table is one step away."
      footer={
        <>
          Already have one?{' '}
          <Link to="/login" search={search} className="font-medium text-accent underline underline-offset-4">
            Sign in
          </Link>
        </>
      }
    >
      <CredentialsForm action="Create account" isNew onSubmit={async (body) => enter(await call(signUp, { body: { ...body, ...invitationIn(search.redirect) } }))} />
    </AuthFrame>
  );
};
