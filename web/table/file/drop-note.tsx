// Says what becomes of files that are let go here.
import type { ReactNode } from 'react';

export const DropNote = ({ children }: { children: ReactNode }) => (
  <p role="status" className="pointer-events-none fixed bottom-6 left-1/2 z-40 -translate-x-1/2 rounded-full border border-accent bg-raised px-4 py-2 text-[13px] font-medium shadow-float">
    {children}
  </p>
);
