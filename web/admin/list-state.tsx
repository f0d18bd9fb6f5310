// A list that is under way, that could not be read, or that is empty; otherwise the list.
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

interface ListStateProps {
  error: unknown;
  isLoading: boolean;
  onRetry: () => void;
  /** Said when there is nothing. */
  empty?: ReactNode;
  children: ReactNode;
}

export const ListState = ({ error, isLoading, onRetry, empty, children }: ListStateProps) => {
  if (error !== null && error !== undefined)
    return (
      <div className="flex flex-col items-start gap-3">
        <ProblemNote error={error} />
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </div>
    );
  if (isLoading) return <Loading />;
  return empty ?? children;
};

export const cardClass = 'overflow-hidden rounded-2xl border border-line bg-surface shadow-card';
export const headClass = 'px-4 py-2.5 text-left text-[12px] font-medium whitespace-nowrap text-ink-faint';
export const cellClass = 'px-4 py-3 align-middle';
