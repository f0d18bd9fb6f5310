import { TriangleAlert } from 'lucide-react';
import { problemOf } from './problem.ts';

/** An error where it happened: what, and what to do. */
export const ProblemNote = ({ error }: { error: unknown }) => {
  if (error === null || error === undefined) return null;
  const problem = problemOf(error);
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg bg-danger-soft px-3 py-2.5 text-danger">
      <TriangleAlert size={17} className="mt-0.5 shrink-0" aria-hidden />
      <p className="min-w-0 break-words">
        <strong className="font-medium">{problem.title}</strong> {problem.advice}
      </p>
    </div>
  );
};
