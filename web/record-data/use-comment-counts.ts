// How many comments the records on the screen have. Asked for when they have been looked at for a moment, and again when
// somebody comments: the list of records knows nothing of comments.
import { countCommentsByQuery } from '@rowhouse/contract/comment.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../app/call.ts';
import type { TableRecords } from './table-records.ts';

const restsFor = 500;
const atOnce = 100;

interface CommentCounts {
  of: (recordId: string) => number;
  /** These are on the screen. */
  look: (recordIds: readonly string[]) => void;
  /** Of all that were looked at. */
  total: number;
}

export const useCommentCounts = (tableId: string, listen: TableRecords['listen']): CommentCounts => {
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map());
  const known = useRef(new Set<string>());
  const shown = useRef<readonly string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const load = useCallback(async (): Promise<void> => {
    const ids = shown.current.filter((id) => !known.current.has(id)).slice(0, atOnce);
    if (ids.length === 0) return;
    for (const id of ids) known.current.add(id);
    try {
      const found = new Map(
        (
          await call(countCommentsByQuery, {
            params: { tableId },
            query: { selectedRecordIds: ids, ignoreViewQuery: true, take: ids.length },
          })
        ).map(({ recordId, count }) => [recordId, count]),
      );
      setCounts((before) => {
        if (found.size === 0 && !ids.some((id) => before.has(id))) return before;
        return new Map([...[...before].filter(([id]) => !ids.includes(id)), ...found]);
      });
    } catch {
      // It is a number beside the record: asked for again when the record is next looked at.
      for (const id of ids) known.current.delete(id);
      return;
    }
    await load();
  }, [tableId]);

  const soon = useCallback((): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void load(), restsFor);
  }, [load]);

  const look = useCallback(
    (recordIds: readonly string[]): void => {
      shown.current = recordIds;
      if (recordIds.some((id) => !known.current.has(id))) soon();
    },
    [soon],
  );

  useEffect(() => {
    const stop = listen((event) => {
      if (event.kind !== 'commented') return;
      if (event.mayBeAny) known.current.clear();
      for (const id of event.recordIds) known.current.delete(id);
      soon();
    });
    return () => {
      clearTimeout(timer.current);
      stop();
    };
  }, [listen, soon]);

  const of = useCallback((recordId: string): number => counts.get(recordId) ?? 0, [counts]);
  return { of, look, total: [...counts.values()].reduce((sum, count) => sum + count, 0) };
};
