import type { ComponentProps, ReactNode } from 'react';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <div className="flex flex-col items-center gap-3 rounded-2xl border border-dashed border-line-strong px-6 py-10 text-center">
    <div className="flex size-11 items-center justify-center rounded-full bg-accent-soft text-accent" aria-hidden>
      {icon}
    </div>
    <div>
      <p className="text-[15px] font-semibold">{title}</p>
      <p className="mx-auto mt-1 max-w-sm text-ink-soft">{children}</p>
    </div>
    {action}
  </div>
);

/** In place of a view that the table has no field for. */
export const MissingField = (props: ComponentProps<typeof EmptyState>) => (
  <div className="mx-auto w-full max-w-lg flex-1 self-center p-6">
    <EmptyState {...props} />
  </div>
);
