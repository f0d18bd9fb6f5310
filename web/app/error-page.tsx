import { useRouter } from '@tanstack/react-router';
import { CloudOff, SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../ui/button.tsx';
import { connectionLost, onConnectionReturn } from './connection.ts';
import { isFinal, isUnreachable, problemOf } from '../ui/problem.ts';

/** For what a page could not be shown without. When the server is back, it goes on by itself. */
export const ErrorPage = ({ error }: { error: unknown }) => {
  const problem = problemOf(error);
  const router = useRouter();
  const Icon = isFinal(error) ? SearchX : CloudOff;

  useEffect(() => {
    if (!isUnreachable(error)) return undefined;
    connectionLost();
    return onConnectionReturn(() => void router.invalidate());
  }, [error, router]);

  return (
    <main className="flex h-full flex-1 flex-col items-center justify-center gap-4 p-6 text-center">
      <Icon size={30} className="text-ink-faint" aria-hidden />
      <div>
        <h1 className="text-xl font-semibold">{problem.title}</h1>
        <p className="mx-auto mt-1 max-w-md text-ink-soft">{problem.advice}</p>
      </div>
      <div className="flex gap-2">
        <Button look="primary" onClick={() => window.location.reload()}>
          Try again
        </Button>
        <Button onClick={() => window.location.assign('/')}>Go home</Button>
      </div>
    </main>
  );
};
