import { createBase, updateBase } from '@rowhouse/contract/base.ts';
import { createBaseFromTemplate } from '@rowhouse/contract/template.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { bringFile } from '../../import/brought-file.ts';
import { basesQuery } from '../spaces-query.ts';
import { type Source, startTable } from './start-table.ts';

/** A base with what it begins with; its page leads on to its first table, or asks what becomes of the file. Answers its id. */
export const startBase = async (spaceId: string, name: string, source: Source): Promise<string> => {
  try {
    if (source.kind === 'template') {
      const base = await call(createBaseFromTemplate, {
        body: { spaceId, templateId: source.template.id, withRecords: source.withRecords },
      });
      if (base.name !== name) await call(updateBase, { params: { baseId: base.id }, body: { name } });
      return base.id;
    }
    const base = await call(createBase, { body: { spaceId, name } });
    if (source.kind === 'file') bringFile(base.id, { file: source.file });
    else await startTable(base, name, source);
    return base.id;
  } finally {
    await queryClient.invalidateQueries({ queryKey: basesQuery.queryKey });
  }
};
