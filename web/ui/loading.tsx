import { LoaderCircle } from 'lucide-react';

export const Spinner = ({ size = 16 }: { size?: number }) => (
  <LoaderCircle size={size} className="animate-spin" aria-hidden />
);

export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <div role="status" className="flex min-h-40 flex-1 items-center justify-center gap-2.5 text-ink-faint">
    <Spinner size={18} />
    {what}…
  </div>
);
