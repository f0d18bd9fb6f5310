// The address of the account: verify it, change it. Where the server sends no e-mails, the operator does both.
import { changeEmail, sendChangeEmailCode, sendVerificationCode, verifyEmail } from '@rowhouse/contract/auth.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { BadgeCheck, MailWarning } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { signInOptionsQuery, useMe } from '../app/me.ts';
import { meKey, queryClient } from '../app/query-client.ts';
import { codeField, OneFieldForm } from '../auth/one-field-form.tsx';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';

interface Asked {
  token: string;
  /** Of a change; null: the present address is verified. */
  email: string | null;
}

export const EmailSection = () => {
  const me = useMe();
  const sendsEmail = useQuery(signInOptionsQuery).data?.sendsEmail === true;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState<Asked | null>(null);
  const verify = useMutation({
    mutationFn: () => call(sendVerificationCode, {}),
    onSuccess: ({ token }) => setAsked({ token, email: null }),
  });
  const change = useMutation({
    mutationFn: () => call(sendChangeEmailCode, { body: { email: email.trim(), password } }),
    onSuccess: ({ token }) => setAsked({ token, email: email.trim() }),
  });
  const finish = async (code: string): Promise<void> => {
    if (asked === null) return;
    await (asked.email === null
      ? call(verifyEmail, { body: { token: asked.token, code } })
      : call(changeEmail, { body: { token: asked.token, code, email: asked.email } }));
    setAsked(null);
    setEmail('');
    setPassword('');
    await queryClient.invalidateQueries({ queryKey: meKey });
    showToast({
      kind: 'note',
      title: asked.email === null ? 'Your e-mail address is verified.' : 'Your e-mail address was changed.',
    });
  };

  return (
    <Section
      title="Your address"
      lead={
        <span className="flex items-center gap-1.5">
          {me.email}
          {me.isEmailVerified && (
            <>
              <BadgeCheck size={15} className="text-accent" aria-hidden /> verified
            </>
          )}
        </span>
      }
    >
      <div className="flex max-w-md flex-col gap-4">
        {!sendsEmail && (
          <p className="text-ink-soft">This server sends no e-mails. Ask your administrator to change your e-mail.</p>
        )}
        {sendsEmail && asked !== null && (
          <>
            <p role="status">A code was sent to {asked.email ?? me.email}. It is valid for 30 minutes.</p>
            <OneFieldForm
              {...codeField}
              action={asked.email === null ? 'Verify' : 'Change address'}
              onSubmit={finish}
            />
            <Button look="ghost" className="self-start" onClick={() => setAsked(null)}>
              Cancel
            </Button>
          </>
        )}
        {sendsEmail && asked === null && !me.isEmailVerified && (
          <div className="flex flex-wrap items-center gap-3">
            <p className="flex items-center gap-2 text-ink-soft">
              <MailWarning size={17} aria-hidden /> This address is not verified yet. Until it is, invitations to it do
              not reach you.
            </p>
            <Button size="small" busy={verify.isPending} onClick={() => verify.mutate()}>
              Verify
            </Button>
          </div>
        )}
        {sendsEmail && asked === null && (
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              change.mutate();
            }}
          >
            <TextField
              label="New e-mail address"
              type="email"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
            <TextField
              label="Your password"
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
            <ProblemNote error={change.error ?? verify.error} />
            <Button type="submit" className="self-start" busy={change.isPending}>
              Send code
            </Button>
          </form>
        )}
      </div>
    </Section>
  );
};
