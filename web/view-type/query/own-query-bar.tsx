import { Eye } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import type { ViewQuery } from './use-view-query.ts';

interface OwnQueryBarProps {
  query: ViewQuery;
  mayChange: boolean;
}

/** Says that what is filtered, sorted and grouped here is not what others see. */
export const OwnQueryBar = ({ query, mayChange }: OwnQueryBarProps) =>
  !query.isOwn ? null : (
    <div
      role="status"
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-accent-soft px-3 py-1 text-[13px] text-ink print:hidden sm:px-4"
    >
      <Eye size={15} className="shrink-0 text-accent" aria-hidden />
      <span className="min-w-0 flex-1">Only you see this filter, sort and grouping.</span>
      <Button size="small" look="ghost" onClick={() => void query.endOwn()}>
        Reset to view
      </Button>
      {mayChange && (
        <Button size="small" onClick={() => void query.publish()}>
          Save for everyone
        </Button>
      )}
    </div>
  );
