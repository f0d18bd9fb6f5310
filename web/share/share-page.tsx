import { shapeOf } from '@rowhouse/contract/view-types.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import { authShare, getShare } from '@rowhouse/contract/share.ts';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { ask, messageOf, type Share } from './ask.ts';
import { PasswordForm } from './password-form.tsx';
import { useLive } from './use-live.ts';

/** The first is loaded for those who look at records, the second, with its editors, for those who fill in a form. */
const ShareView = lazy(async () => ({ default: (await import('./share-view.tsx')).ShareView }));
const ShareForm = lazy(async () => ({ default: (await import('./share-form.tsx')).ShareForm }));

type State =
  | { kind: 'loading' }
  | { kind: 'password' }
  | { kind: 'gone'; message: string }
  | { kind: 'open'; share: Share };

export const GoneNote = ({ children }: { children: string }) => (
  <main className="mx-auto mt-[18vh] max-w-md px-4 text-center">
    <h1 className="text-xl font-semibold">This link does not work</h1>
    <p role="status" className="mt-2 text-ink-soft">
      {children}
    </p>
  </main>
);

export const goneWords = (error: unknown): string =>
  error instanceof ApiError && error.status === 400
    ? (error.data as { expired?: boolean } | undefined)?.expired === true
      ? 'It has expired. Ask the person who gave it to you for a new one.'
      : 'It was turned off, or the address is incomplete. Ask the person who gave it to you.'
    : messageOf(error);

const Shown = ({ share, changes }: { share: Share; changes: number }) => {
  const { view } = share;
  useEffect(() => {
    document.title = view.name;
  }, [view.name]);
  if (shapeOf(view.type).share === 'answers') {
    return (
      <main className="min-h-screen bg-canvas p-4 sm:p-8">
        <Suspense
          fallback={
            <p role="status" className="p-8 text-center text-ink-faint">
              Loading…
            </p>
          }
        >
          <ShareForm share={share} />
        </Suspense>
      </main>
    );
  }
  return (
    <main className="flex h-dvh flex-col bg-canvas">
      <header className="bg-surface px-3 pt-3 pb-1 sm:px-4">
        <h1 className="text-[17px] font-semibold break-words">{view.name}</h1>
        {view.description !== undefined && (
          <p className="mt-0.5 max-h-20 overflow-y-auto whitespace-pre-line text-ink-soft">{view.description}</p>
        )}
      </header>
      <Suspense
        fallback={
          <p role="status" className="p-8 text-center text-ink-faint">
            Loading…
          </p>
        }
      >
        <ShareView share={share} changes={changes} />
      </Suspense>
    </main>
  );
};

export const SharePage = ({ shareId }: { shareId: string }) => {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const load = useCallback(async (): Promise<void> => {
    try {
      setState({ kind: 'open', share: await ask(getShare, { params: { shareId } }) });
    } catch (error) {
      setState(
        error instanceof ApiError && error.code === 'unauthorized_share'
          ? { kind: 'password' }
          : { kind: 'gone', message: goneWords(error) },
      );
    }
  }, [shareId]);
  useEffect(() => void load(), [load]);
  const showsFiles = state.kind === 'open' && state.share.fields.some((field) => kindOf(field) === 'file');
  const changes = useLive(
    state.kind === 'open' && shapeOf(state.share.view.type).share === 'records'
      ? `/api/share/${encodeURIComponent(shareId)}/view/events`
      : null,
    showsFiles,
    load,
  );
  switch (state.kind) {
    case 'loading':
      return (
        <p role="status" className="mt-[18vh] text-center text-ink-faint">
          Loading…
        </p>
      );
    case 'password':
      return (
        <PasswordForm
          onPassword={(password) => ask(authShare, { params: { shareId }, body: { password } })}
          onOpen={() => void load()}
        />
      );
    case 'gone':
      return <GoneNote>{state.message}</GoneNote>;
    case 'open':
      return <Shown share={state.share} changes={changes} />;
  }
};
