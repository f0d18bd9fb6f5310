// Which files stand in cells that somebody sees. For those whom rules bind: they may use a file where they see it, and nobody has written down which cells hold it.
import type { Sight } from '../../../catalog/sight.ts';
import { many, type Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { columnOf, fieldTypeOf } from '../../cell/types.ts';
import { seenRows } from './read.sql.ts';

export const selectHeldTokens = async (db: Queryable, sight: Sight, tokens: readonly string[]): Promise<string[]> => {
  const fields = sight.seesCells ? sight.fields.filter(({ type }) => fieldTypeOf(type).namesFiles === true) : [];
  if (fields.length === 0) return [];
  const holds = sql.join(
    fields.map((field) => sql`${columnOf(field, 'r')} @> jsonb_build_array(jsonb_build_object('token', t.token))`),
    ' or ',
  );
  const rows = await many<{ token: string }>(
    db,
    sql`select t.token from unnest(${tokens}::text[]) t(token) where exists (select from ${seenRows(sight)} r where ${holds})`,
    { base: sight.table.baseId },
  );
  return rows.map(({ token }) => token);
};
