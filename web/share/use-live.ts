// Changes of a share as they happen: a number that grows when its records are to be read again.
import { shareFileSeconds } from '@rowhouse/contract/share-meta.ts';
import { useEffect, useState } from 'react';
import { createStreamHub } from '../app/stream-hub.ts';

const calm = 400;
const ofView: ReadonlySet<string> = new Set(['schema.changed', 'view.changed', 'tables.changed']);

/** `url`: of the events, null for none. `reload`: the view itself may have changed, or the share may be over. `showsFiles`: their addresses end, so records are read again before they do. */
export const useLive = (url: string | null, showsFiles: boolean, reload: () => Promise<void>): number => {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    if (url === null || !showsFiles) return undefined;
    const timer = setInterval(() => setChanges((count) => count + 1), (shareFileSeconds * 1_000) / 2);
    return () => clearInterval(timer);
  }, [url, showsFiles]);
  useEffect(() => {
    if (url === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setChanges((count) => count + 1), calm);
    };
    const stop = createStreamHub().listen(url, (message) => {
      const isOfView = message.kind === 'end' || (message.kind === 'event' && ofView.has(message.name));
      if (isOfView) void reload();
      else soon();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [url, reload]);
  return changes;
};
