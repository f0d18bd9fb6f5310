// Which part of a list is shown, and the way to the next one.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../ui/button.tsx';

interface PagerProps {
  total: number;
  page: number;
  pageSize: number;
  /** What is listed: `people`. */
  of: string;
  onPage: (page: number) => void;
}

export const Pager = ({ total, page, pageSize, of, onPage }: PagerProps) => {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const from = Math.min(total, (page - 1) * pageSize + 1);
  return (
    <nav aria-label={`Pages of ${of}`} className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="text-[13px] text-ink-soft">
        {total === 0 ? `No ${of}` : `${from}–${Math.min(total, page * pageSize)} of ${total.toLocaleString()} ${of}`}
      </p>
      {last > 1 && (
        <div className="flex gap-2">
          <Button size="small" icon={<ChevronLeft size={15} />} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button size="small" disabled={page >= last} onClick={() => onPage(page + 1)}>
            Next <ChevronRight size={15} />
          </Button>
        </div>
      )}
    </nav>
  );
};
