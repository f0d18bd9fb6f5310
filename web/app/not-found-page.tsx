import { Link } from '@tanstack/react-router';

export const NotFoundPage = () => (
  <main className="flex h-full flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
    <h1 className="text-xl font-semibold">There is nothing at this address.</h1>
    <p className="max-w-md text-ink-soft">It may have been deleted, or the link was cut off on its way.</p>
    <Link to="/" className="font-medium text-accent underline-offset-4 hover:underline">
      Go home
    </Link>
  </main>
);
