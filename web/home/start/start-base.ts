import { createBase, updateBase } from '@rowhouse/contract/base.ts';
import { createBaseFromTemplate } from '@rowhouse/contract/template.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { basesQuery } from '../spaces-query.ts';
import { firstTableOf, type Source, startTable } from './start-table.ts';

/** A base with its first table. */
export const startBase = async (
  spaceId: string,
  name: string,
  source: Source,
  onProgress: (share: number) => void,
): Promise<{ baseId: string; tableId: string }> => {
  try {
    if (source.kind === 'template') {
      const base = await call(createBaseFromTemplate, {
        body: { spaceId, templateId: source.template.id, withRecords: source.withRecords },
      });
      if (base.name !== name) await call(updateBase, { params: { baseId: base.id }, body: { name } });
      return { baseId: base.id, tableId: await firstTableOf(base.id) };
    }
    const base = await call(createBase, { body: { spaceId, name } });
    return { baseId: base.id, tableId: await startTable(base, name, source, onProgress) };
  } finally {
    await queryClient.invalidateQueries({ queryKey: basesQuery.queryKey });
  }
};
