// Somebody types the code that a device or a command line shows, sees who asks for what, and says yes or no.
import { decideDeviceRequest, getDeviceRequest } from '@rowhouse/contract/oauth-server.ts';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../app/call.ts';
import { useTitle } from '../app/brand.ts';
import { useMe } from '../app/me.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextField } from '../ui/text-field.tsx';
import { ConsentCard } from './consent-card.tsx';

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="flex min-h-full flex-1 flex-col items-center justify-center overflow-y-auto p-4">
    <div className="flex w-full max-w-md flex-col gap-4 rounded-2xl border border-line bg-surface p-6 shadow-card sm:p-8">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {children}
    </div>
  </main>
);

export const DevicePage = () => {
  useTitle('Connect a device');
  const me = useMe();
  const [userCode, setUserCode] = useState('');
  const asked = useMutation({ mutationFn: () => call(getDeviceRequest, { params: { userCode } }) });
  const decide = useMutation({
    mutationFn: (approve: boolean) => call(decideDeviceRequest, { body: { userCode, approve } }).then(() => approve),
  });
  if (decide.data !== undefined)
    return (
      <Card title={decide.data ? 'The device is connected' : 'Declined'}>
        <p role="status" className="text-ink-soft">
          {decide.data
            ? 'You can close this page and go on there. What you have allowed is listed in your account, where you can end it.'
            : 'Nothing was allowed. You can close this page.'}
        </p>
      </Card>
    );
  if (asked.data !== undefined)
    return (
      <ConsentCard
        asked={asked.data}
        me={me}
        busy={decide.isPending}
        error={decide.error}
        onDecide={(approve) => decide.mutate(approve)}
      >
        Only go on if you have started this on a device of your own just now: it will act as you. Its homepage is{' '}
        {asked.data.homepage}.
      </ConsentCard>
    );
  return (
    <Card title="Connect a device">
      <p className="text-ink-soft">Type the code that your device or command line shows.</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          asked.mutate();
        }}
      >
        <TextField
          label="Code"
          required
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          placeholder="BCDF-GHJK"
          value={userCode}
          onChange={(event) => setUserCode(event.target.value)}
        />
        <ProblemNote error={asked.error} />
        <Button look="primary" type="submit" size="large" busy={asked.isPending}>
          Continue
        </Button>
      </form>
    </Card>
  );
};
