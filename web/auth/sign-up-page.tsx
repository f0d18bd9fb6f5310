import { signUp } from '@rowhouse/contract/auth.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { AuthFrame, AuthLink } from './auth-frame.tsx';
import { type Credentials, CredentialsForm } from './credentials-form.tsx';
import { codeField, OneFieldForm } from './one-field-form.tsx';
import { invitationIn, useInvitationLead } from './invitation.ts';
import { useEnter } from './use-enter.ts';

const verificationTokenOf = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === 'unprocessable_entity'
    ? (error.data as { token?: string } | undefined)?.token
    : undefined;

export const SignUpPage = () => {
  const search = useSearch({ from: '/signup' });
  const enter = useEnter(search.redirect);
  const invitation = useInvitationLead(search.redirect);
  const [asked, setAsked] = useState<(Credentials & { token: string }) | null>(null);
  const send = async (body: Credentials, verification?: { token: string; code: string }): Promise<void> => {
    await enter(
      await call(signUp, {
        body: { ...body, ...invitationIn(search.redirect), ...(verification === undefined ? {} : { verification }) },
      }),
    );
  };
  if (asked !== null) {
    const { token, ...credentials } = asked;
    return (
      <AuthFrame
        title="Check your e-mail"
        lead={`A code was sent to ${credentials.email}. It is valid for 30 minutes.`}
        footer={
          <Button look="ghost" onClick={() => setAsked(null)}>
            Use another address
          </Button>
        }
      >
        <OneFieldForm {...codeField} action="Create account" onSubmit={(code) => send(credentials, { token, code })} />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Create your account"
      lead={invitation ?? 'Your first table is one step away.'}
      footer={
        <>
          Already have one?{' '}
          <AuthLink to="/login" search={search}>
            Sign in
          </AuthLink>
        </>
      }
    >
      <CredentialsForm
        action="Create account"
        isNew
        onSubmit={async (body) => {
          try {
            await send(body);
          } catch (error) {
            const token = verificationTokenOf(error);
            if (token === undefined) throw error;
            setAsked({ ...body, token });
          }
        }}
      />
    </AuthFrame>
  );
};
