// Says that the base is viewed as somebody else, as long as it is, and ends it.
import { Eye } from 'lucide-react';
import { useEffect } from 'react';
import { currentViewing, endViewing, leaveViewing } from '../app/viewing.ts';
import { Button } from '../ui/button.tsx';

export const ViewingBar = ({ baseId }: { baseId: string }) => {
  const viewing = currentViewing();
  useEffect(() => {
    leaveViewing(baseId);
    // Anyone who leaves the base is themselves again.
    return () => leaveViewing(undefined);
  }, [baseId]);
  if (viewing === null || viewing.baseId !== baseId) return null;
  return (
    <div
      role="status"
      className="flex shrink-0 items-center gap-2.5 border-b border-line bg-warn-soft px-3 py-1.5 print:hidden sm:px-4"
    >
      <Eye size={16} className="shrink-0 text-warn" aria-hidden />
      <p className="min-w-0 flex-1">
        You view this base as <strong className="font-semibold break-words">{viewing.name}</strong>. Nothing can be
        changed.
      </p>
      <Button size="small" onClick={endViewing}>
        End
      </Button>
    </div>
  );
};
