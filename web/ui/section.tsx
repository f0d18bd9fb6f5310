import { type ReactNode, useId } from 'react';

/** A titled part of a settings page. */
export const Section = ({
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
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-6">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className={lead === undefined ? 'min-w-0' : 'min-w-0 flex-1 basis-56'}>
          <h2 id={id} className="text-[16px] font-semibold">
            {title}
          </h2>
          {lead !== undefined && <p className="mt-0.5 text-ink-soft">{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
};
