import { signUp } from '@rowhouse/contract/auth.ts';
import { Link, useSearch } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { AuthFrame } from './auth-frame.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { useEnter } from './use-enter.ts';

export const SignUpPage = () => {
  const search = useSearch({ from: '/signup' });
  const enter = useEnter(search.redirect);
  return (
    <AuthFrame
      title="Create your account"
      lead="Then say what you want to keep track of, and you have a table for it."
      footer={
        <>
          Already have one?{' '}
          <Link to="/login" search={search} className="font-medium text-accent underline underline-offset-4">
            Sign in
          </Link>
        </>
      }
    >
      <CredentialsForm action="Create account" isNew onSubmit={async (body) => enter(await call(signUp, { body }))} />
    </AuthFrame>
  );
};
