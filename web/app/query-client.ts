import { ApiError } from '@rowhouse/contract/error.ts';
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { onConnectionReturn } from './connection.ts';
import { renewFirstAnswers } from './first-answers.ts';
import { isFinal } from '../ui/problem.ts';

// The default is a timer: a box that is ticked would show its former state for a moment before what the click began is known.
notifyManager.setScheduler(queueMicrotask);

export const meKey = ['me'] as const;

// A session that ended elsewhere: the guard of the signed-in part sees it, and leads to the sign-in page.
const noteSignedOut = (error: unknown): void => {
  if (error instanceof ApiError && error.code === 'unauthorized') queryClient.setQueryData(meKey, null);
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteSignedOut }),
  mutationCache: new MutationCache({ onError: noteSignedOut }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (count, error) => !isFinal(error) && count < 3, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

renewFirstAnswers(queryClient);
onConnectionReturn(() => void queryClient.invalidateQueries());

/** What somebody may do comes with spaces and bases. */
export const askForRoles = (): void => {
  for (const key of ['base', 'bases', 'spaces', 'my-rights', 'tables', 'nodes'])
    void queryClient.invalidateQueries({ queryKey: [key] });
};
