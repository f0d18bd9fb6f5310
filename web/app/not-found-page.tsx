import { Link } from '@tanstack/react-router';
import { Logo } from '../ui/logo.tsx';

export const NotFoundPage = () => (
  <main className="flex h-full flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
    <Logo size={44} />
    <h1 className="mt-2 text-xl font-semibold">Page not found</h1>
    <p className="max-w-md text-ink-soft">It may have been deleted, or the link is incomplete.</p>
    <Link
      to="/"
      className="mt-1 inline-flex h-9 items-center rounded-lg bg-accent px-3.5 font-medium text-accent-ink shadow-card hover:bg-accent-strong"
    >
      Go home
    </Link>
  </main>
);
