// A shared base, folder or table: everything is asked with the header of the share, also by people who are signed in.
import { baseShareHeader, enterSharedBase, getSharedBase } from '@rowhouse/contract/base-share.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { askVisiting } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { Toasts } from '../../ui/toasts.tsx';
import { ask, messageOf } from '../ask.ts';
import { PasswordForm } from '../password-form.tsx';
import { GoneNote } from '../share-page.tsx';
import { BaseFrame } from './base-frame.tsx';

/** A share that is over says so soon, also to those who have no table open. */
const askAgainAfter = 15_000;

const goneWords = (error: unknown): string =>
  error instanceof ApiError && error.status === 404
    ? 'It was turned off, or the address is incomplete. Ask the person who gave it to you.'
    : messageOf(error);

const Shared = ({ shareId }: { shareId: string }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['shared-base', shareId],
    queryFn: ({ signal }) => ask(getSharedBase, { params: { shareId }, signal }),
    refetchInterval: askAgainAfter,
    retry: false,
  });
  if (error instanceof ApiError || (error !== null && data === undefined))
    return error instanceof ApiError && error.code === 'unauthorized_share' ? (
      <PasswordForm
        onPassword={(password) => ask(enterSharedBase, { params: { shareId }, body: { password } })}
        onOpen={() => void refetch()}
      />
    ) : (
      <GoneNote>{goneWords(error)}</GoneNote>
    );
  if (data === undefined)
    return (
      <p role="status" className="mt-[18vh] text-center text-ink-faint">
        Loading…
      </p>
    );
  return <BaseFrame shareId={shareId} share={data} onChange={async () => void (await refetch())} />;
};

export const SharedBase = ({ shareId }: { shareId: string }) => {
  askVisiting({ [baseShareHeader]: shareId });
  return (
    <QueryClientProvider client={queryClient}>
      <Shared shareId={shareId} />
      <Toasts />
    </QueryClientProvider>
  );
};
