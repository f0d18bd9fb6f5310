// Signing in without a password: an address, then the code that was mailed to it.
import { sendSignInCode, signInWithCode } from '@rowhouse/contract/auth.ts';
import { useState } from 'react';
import type { Me } from '../app/me.ts';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { codeField, OneFieldForm } from './one-field-form.tsx';

interface MailedCodeProps {
  /** Takes what the sign-in answers, or what it is refused with. */
  onSignIn: (signIn: () => Promise<Me>) => Promise<void>;
  onBack: () => void;
}

export const MailedCode = ({ onSignIn, onBack }: MailedCodeProps) => {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const back = (
    <Button look="ghost" onClick={onBack}>
      Back
    </Button>
  );
  if (sentTo === null)
    return (
      <AuthFrame title="Sign in with a code" lead="Enter the e-mail address of your account to get one." footer={back}>
        <OneFieldForm
          key="address"
          label="E-mail"
          type="email"
          autoComplete="username"
          action="Send code"
          onSubmit={async (email) => {
            await call(sendSignInCode, { body: { email } });
            setSentTo(email);
          }}
        />
      </AuthFrame>
    );
  return (
    <AuthFrame
      title="Enter the code"
      lead={`If ${sentTo} has an account here, an e-mail with a code is on its way. It works once, for half an hour.`}
      footer={back}
    >
      <OneFieldForm
        key="code"
        {...codeField}
        action="Sign in"
        onSubmit={(code) => onSignIn(() => call(signInWithCode, { body: { email: sentTo, code } }))}
      />
    </AuthFrame>
  );
};
