// Who asks, what it wants, and the two answers.
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { scopeLines } from '../account/scope-words.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

interface ConsentCardProps {
  asked: { name: string; description?: string; scopes: readonly string[] };
  me: { name: string; email: string };
  busy: boolean;
  error: unknown;
  onDecide: (allow: boolean) => void;
  /** Below the answers. */
  children: ReactNode;
}

export const ConsentCard = ({ asked, me, busy, error, onDecide, children }: ConsentCardProps) => {
  const { name, description, scopes } = asked;
  const wanted = scopeLines(scopes);
  return (
    <main className="flex min-h-full flex-1 flex-col items-center justify-center overflow-y-auto p-4">
      <div className="flex w-full max-w-md flex-col gap-5 rounded-2xl border border-line bg-surface p-6 shadow-card sm:p-8">
        <div className="flex items-center justify-center gap-3" aria-hidden>
          <Avatar name={name} />
          <span className="text-ink-faint">→</span>
          <Logo size={32} />
        </div>
        <div className="text-center">
          <h1 className="text-xl font-semibold tracking-tight break-words">{name} asks for access</h1>
          <p className="mt-1 text-ink-soft">
            to your spaces and bases, as {me.name} ({me.email}).
          </p>
          {description !== undefined && <p className="mt-2 text-[13px] break-words text-ink-faint">{description}</p>}
        </div>
        <ul className="flex flex-col gap-2 rounded-xl bg-canvas p-4">
          {wanted.length === 0 && <li className="text-ink-soft">It only asks who you are.</li>}
          {wanted.map(({ title, words }) => (
            <li key={title} className="flex gap-2.5">
              <Check size={16} className="mt-0.5 shrink-0 text-accent" aria-hidden />
              <span>
                <strong className="font-medium">{title}:</strong> {words}
              </span>
            </li>
          ))}
        </ul>
        <ProblemNote error={error} />
        <div className="flex gap-2">
          <Button size="large" className="flex-1" disabled={busy} onClick={() => onDecide(false)}>
            Decline
          </Button>
          <Button size="large" look="primary" className="flex-1" busy={busy} onClick={() => onDecide(true)}>
            Allow
          </Button>
        </div>
        <p className="text-center text-[12px] wrap-anywhere text-ink-faint">{children}</p>
      </div>
    </main>
  );
};
