// The templates of a table for a copy of it.
import { isMe } from '@rowhouse/contract/filter.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { isLink } from '../cell/linked.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { insertTemplate, selectTemplates } from './record-template.sql.ts';

/** New ids of the templates of a table, which its views name. */
export const newTemplateIds = async (
  { db, newId }: Pick<Context, 'db' | 'newId'>,
  tableId: string,
): Promise<Map<string, string>> =>
  new Map((await selectTemplates(db, tableId)).map(({ id }) => [id, newId('rtp')] as const));

interface Copying {
  /** Id of a field → that of its copy. */
  fieldIds: ReadonlyMap<string, string>;
  templateIds: ReadonlyMap<string, string>;
  /** Whether the copy links to the same records, by the table that a link leads to. */
  keepsLinks: (foreignTableId: string) => boolean;
  withoutPeople: boolean;
  createdBy: string;
}

export const copyRecordTemplates = async (
  db: Queryable,
  from: TableSchema,
  toTableId: string,
  { fieldIds, templateIds, keepsLinks, withoutPeople, createdBy }: Copying,
): Promise<void> => {
  const isKept = (fieldId: string, value: unknown): boolean => {
    const field = from.byId.get(fieldId);
    if (field === undefined || !fieldIds.has(fieldId)) return false;
    if (isLink(field)) return keepsLinks(String(field.options.foreignTableId));
    return !withoutPeople || fieldTypeOf(field).namesPeople !== true || isMe(value);
  };
  const renamed = <T>(of: Record<string, T>, cells: Record<string, unknown>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(of).flatMap(([id, value]) =>
        isKept(id, cells[id]) ? [[fieldIds.get(id) as string, value] as const] : [],
      ),
    );
  for (const { id, name, cells, choices } of await selectTemplates(db, from.id)) {
    const copyId = templateIds.get(id);
    if (copyId !== undefined)
      await insertTemplate(db, toTableId, {
        id: copyId,
        name,
        cells: renamed(cells, cells),
        choices: renamed(choices, cells),
        createdBy,
      });
  }
};
