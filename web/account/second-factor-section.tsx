// The second factor: set up with an authenticator app, recovery codes shown once, given up again.
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '@rowhouse/contract/second-factor.ts';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { codeField, OneFieldForm } from '../auth/one-field-form.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';
import { QrCode } from './qr-code.tsx';

const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => call(getSecondFactor, { signal }),
});

const RecoveryCodes = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) => (
  <div className="flex flex-col gap-4">
    <p role="status">
      Keep these recovery codes where you can reach them without your phone. Each code works once. They are not shown
      again.
    </p>
    <ul
      aria-label="Recovery codes"
      className="grid grid-cols-1 gap-1 rounded-lg bg-sunken p-3 font-mono text-[13px] sm:grid-cols-2"
    >
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <div className="flex gap-2">
      <CopyButton text={codes.join('\n')} label="Copy codes" />
      <Button look="primary" onClick={onDone}>
        I have saved them
      </Button>
    </div>
  </div>
);

const SetUp = ({ onSet }: { onSet: (codes: readonly string[]) => void }) => {
  const begin = useMutation({ mutationFn: (password: string) => call(beginSecondFactor, { body: { password } }) });
  if (begin.data === undefined) {
    return (
      <OneFieldForm
        label="Your password"
        type="password"
        autoComplete="current-password"
        action="Set up"
        onSubmit={async (password) => void (await begin.mutateAsync(password))}
      />
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <p>Scan this with your authenticator app, then enter the code that it shows.</p>
      <QrCode text={begin.data.uri} label="QR code for your authenticator app" />
      <p className="text-[13px] text-ink-soft">
        Or type this secret into the app: <code className="font-mono break-all">{begin.data.secret}</code>
      </p>
      <OneFieldForm
        {...codeField}
        action="Turn on"
        onSubmit={async (code) => onSet((await call(confirmSecondFactor, { body: { code } })).recoveryCodes)}
      />
    </div>
  );
};

const Manage = ({ left, onRenewed }: { left: number; onRenewed: (codes: readonly string[]) => void }) => {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const done = async (): Promise<void> => {
    setPassword('');
    setCode('');
    await queryClient.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
  };
  const renew = useMutation({
    mutationFn: () => call(renewRecoveryCodes, { body: { password, code } }),
    onSuccess: async ({ recoveryCodes }) => {
      await done();
      onRenewed(recoveryCodes);
    },
  });
  const remove = useMutation({
    mutationFn: () => call(removeSecondFactor, { body: { password, code } }),
    onSuccess: async () => {
      await done();
      showToast({ kind: 'note', title: 'The second factor is off.' });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    renew.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <p>
        It is on. {left} of your recovery codes {left === 1 ? 'is' : 'are'} left.
      </p>
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <TextField {...codeField} required value={code} onChange={(event) => setCode(event.target.value)} />
      <ProblemNote error={renew.error ?? remove.error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={renew.isPending}>
          New recovery codes
        </Button>
        <Button
          look="danger"
          busy={remove.isPending}
          disabled={password === '' || code === ''}
          onClick={() => remove.mutate()}
        >
          Turn off
        </Button>
      </div>
    </form>
  );
};

export const SecondFactorSection = () => {
  const { data, error } = useQuery(secondFactorQuery);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const show = (next: readonly string[]): void => {
    setCodes(next);
    void queryClient.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
  };
  const [isSettingUp, setSettingUp] = useState(false);
  return (
    <Section
      title="Second factor"
      lead="Signing in also requires a code from an authenticator app. Access tokens are not affected."
    >
      <div className="max-w-md">
        <ProblemNote error={error} />
        {codes !== null ? (
          <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
        ) : data?.isSet === true ? (
          <Manage left={data.recoveryCodesLeft} onRenewed={show} />
        ) : isSettingUp ? (
          <SetUp onSet={show} />
        ) : (
          data !== undefined && <Button onClick={() => setSettingUp(true)}>Set up a second factor</Button>
        )}
      </div>
    </Section>
  );
};
