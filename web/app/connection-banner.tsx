import { WifiOff } from 'lucide-react';
import { useConnectionLost } from './connection.ts';

export const ConnectionBanner = () => {
  const lost = useConnectionLost();
  if (!lost) return null;
  return (
    <p
      role="alert"
      className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-center text-[13px] font-medium text-warn"
    >
      <WifiOff size={15} className="shrink-0" aria-hidden />
      The server cannot be reached. Your changes are kept and sent when the connection is back.
    </p>
  );
};
