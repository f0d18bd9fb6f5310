import type { ReactNode } from 'react';
import { useTitle } from '../app/brand.ts';

/** A page of text and forms, as opposed to the table, which takes the whole window. */
export const Page = ({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) => {
  useTitle(title);
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-5xl px-4 py-8 sm:px-8 sm:py-10">
        <div className="mb-8 flex flex-wrap items-start justify-between gap-4">
          <div className={lead === undefined ? 'min-w-0' : 'min-w-0 flex-1 basis-72'}>
            <h1 className="text-[26px] leading-9 font-semibold tracking-tight break-words">{title}</h1>
            {lead !== undefined && <p className="mt-1 text-ink-soft">{lead}</p>}
          </div>
          {actions}
        </div>
        {children}
      </div>
    </main>
  );
};
