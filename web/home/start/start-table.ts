// A new table: empty, or from a template.
import { invalid } from '@rowhouse/contract/error.ts';
import { createTable, listTables } from '@rowhouse/contract/table.ts';
import { createBaseFromTemplate, type Template } from '@rowhouse/contract/template.ts';
import { call } from '../../app/call.ts';
import { firstFields } from '../../record-data/new-table.ts';

export type Source =
  | { kind: 'blank' }
  | { kind: 'template'; template: Template; withRecords: boolean }
  | { kind: 'file'; file: File };

const firstTableOf = async (baseId: string): Promise<string> => {
  const [first] = await call(listTables, { params: { baseId } });
  if (first === undefined)
    throw invalid({
      path: 'template',
      message: 'This template has no tables',
      expected: 'a template with at least one table',
    });
  return first.id;
};

/** Answers its id. The tables of a template have the names that it gives them. What becomes of a file is asked on the page of the base (`bringFile`). */
export const startTable = async (
  base: { id: string; spaceId: string },
  name: string,
  source: Exclude<Source, { kind: 'file' }>,
): Promise<string> => {
  if (source.kind === 'blank')
    return (await call(createTable, { params: { baseId: base.id }, body: { name, fields: firstFields } })).id;
  await call(createBaseFromTemplate, {
    body: { spaceId: base.spaceId, baseId: base.id, templateId: source.template.id, withRecords: source.withRecords },
  });
  return firstTableOf(base.id);
};
