import { CloudOff } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { problemOf } from './problem.ts';

/** For what a page could not be shown without. */
export const ErrorPage = ({ error }: { error: unknown }) => {
  const problem = problemOf(error);
  return (
    <main className="flex h-full flex-1 flex-col items-center justify-center gap-4 p-6 text-center">
      <CloudOff size={30} className="text-ink-faint" aria-hidden />
      <div>
        <h1 className="text-xl font-semibold">{problem.title}</h1>
        <p className="mt-1 max-w-md text-ink-soft">{problem.advice}</p>
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
