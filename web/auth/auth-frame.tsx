import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConnectionBanner } from '../app/connection-banner.tsx';
import { useTitle } from '../app/brand.ts';
import { Logo } from '../ui/logo.tsx';

/** The first thing a visitor sees: one sentence of what this is, and one form. */
export const AuthFrame = ({
  title,
  lead,
  children,
  footer,
}: {
  title: string;
  lead: string;
  children: ReactNode;
  footer: ReactNode;
}) => {
  useTitle(title);
  return (
    <div className="flex min-h-full flex-col">
      <ConnectionBanner />
      <main className="flex flex-1 flex-col items-center justify-center px-4 py-10">
        <div className="w-full max-w-sm">
          <div className="mb-7 flex flex-col items-center text-center">
            <Logo size={44} />
            <h1 className="mt-5 text-2xl font-semibold tracking-tight">{title}</h1>
            <p className="mt-1.5 text-ink-soft">{lead}</p>
          </div>
          <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-6">{children}</div>
          <p className="mt-5 text-center text-ink-soft">{footer}</p>
        </div>
      </main>
    </div>
  );
};

export const AuthLink = (props: LinkProps) => (
  <Link {...props} className="font-medium text-accent underline underline-offset-4" />
);
