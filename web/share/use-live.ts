// Changes of a share as they happen: a number that grows when its records are to be read again.
import { shareFileSeconds } from '@rowhouse/contract/share-meta.ts';
import { useEffect, useState } from 'react';

const calm = 400;

/** `reload`: the view itself may have changed, or the share may be over. `showsFiles`: their addresses end, so records are read again before they do. */
export const useLive = (shareId: string | null, showsFiles: boolean, reload: () => Promise<void>): number => {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    if (shareId === null || !showsFiles) return undefined;
    const timer = setInterval(() => setChanges((count) => count + 1), (shareFileSeconds * 1_000) / 2);
    return () => clearInterval(timer);
  }, [shareId, showsFiles]);
  useEffect(() => {
    if (shareId === null) return undefined;
    const source = new EventSource(`/api/share/${encodeURIComponent(shareId)}/view/events`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setChanges((count) => count + 1), calm);
    };
    for (const name of ['records.created', 'records.updated', 'records.deleted', 'reload'])
      source.addEventListener(name, soon);
    for (const name of ['schema.changed', 'view.changed', 'end']) source.addEventListener(name, () => void reload());
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [shareId, reload]);
  return changes;
};
