import { sendResetPasswordEmail } from '@rowhouse/contract/auth.ts';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { AuthFrame, AuthLink } from './auth-frame.tsx';
import { OneFieldForm } from './one-field-form.tsx';

export const ForgotPasswordPage = () => {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <AuthFrame
      title="Forgot your password?"
      lead="Enter the e-mail address of your account to get a link for a new one."
      footer={<AuthLink to="/login">Back to sign-in</AuthLink>}
    >
      {sentTo === null ? (
        <OneFieldForm
          label="E-mail"
          type="email"
          autoComplete="username"
          action="Send link"
          onSubmit={async (email) => {
            await call(sendResetPasswordEmail, { body: { email } });
            setSentTo(email);
          }}
        />
      ) : (
        <p role="status">
          If <strong className="font-medium">{sentTo}</strong> has an account here, an e-mail with a link is on its way.
          The link works once, for an hour.
        </p>
      )}
    </AuthFrame>
  );
};
