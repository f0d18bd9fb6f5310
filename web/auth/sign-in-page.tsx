import { signIn } from '@rowhouse/contract/auth.ts';
import { Link, useSearch } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { AuthFrame } from './auth-frame.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { useEnter } from './use-enter.ts';

export const SignInPage = () => {
  const search = useSearch({ from: '/login' });
  const enter = useEnter(search.redirect);
  return (
    <AuthFrame
      title="Welcome to Rowhouse"
      lead="Sign in to your tables."
      footer={
        <>
          New here?{' '}
          <Link to="/signup" search={search} className="font-medium text-accent underline underline-offset-4">
            Create an account
          </Link>
        </>
      }
    >
      <CredentialsForm action="Sign in" isNew={false} onSubmit={async (body) => enter(await call(signIn, { body }))} />
    </AuthFrame>
  );
};
