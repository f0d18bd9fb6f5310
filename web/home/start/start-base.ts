import { createBase } from '@rowhouse/contract/base.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { basesQuery } from '../spaces-query.ts';
import { type Source, startTable } from './start-table.ts';

/** A base with its first table. */
export const startBase = async (spaceId: string, name: string, source: Source, onProgress: (share: number) => void): Promise<{ baseId: string; tableId: string }> => {
  const base = await call(createBase, { body: { spaceId, name } });
  try {
    return { baseId: base.id, tableId: await startTable(base.id, name, source, onProgress) };
  } finally {
    await queryClient.invalidateQueries({ queryKey: basesQuery.queryKey });
  }
};
