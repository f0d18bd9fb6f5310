import { invalid } from '@rowhouse/contract/error.ts';
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** A view can begin with a template of its own table alone. What it has already may be sent again, also when that is deleted. */
export const demandTemplate = async (
  db: Queryable,
  tableId: string,
  { recordTemplateId: id }: Record<string, unknown> = {},
): Promise<void> => {
  if (typeof id !== 'string') return;
  const found = await maybe(db, sql`select from rowhouse.record_templates where id = ${id} and table_id = ${tableId}`);
  if (found === undefined)
    throw invalid({
      path: 'options.recordTemplateId',
      message: `The table has no record template ${JSON.stringify(id)}`,
      expected: 'the id of a record template of this table, or null',
    });
};
