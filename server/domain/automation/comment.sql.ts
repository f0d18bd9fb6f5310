import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { FeedRow } from '../feed/feed.sql.ts';

export interface NewComment {
  id: string;
  recordId: string;
  text: string;
}

/** Comments that were written about when the operation was: it says of which records, and not whether a comment is new. One that was seen before is known by its id. */
export const selectNewComments = (
  db: Queryable,
  baseId: string,
  { tableId, actor, time }: FeedRow,
  recordIds: readonly string[],
): Promise<NewComment[]> =>
  many<NewComment>(
    db,
    sql`select c.id, c.record_id as "recordId",
               coalesce((select string_agg(part ->> 'value', '') from jsonb_array_elements(c.content) block cross join jsonb_array_elements(block -> 'children') part where part ->> 'type' = 'span'), '') as text
        from ${sql.id(baseId, '__comment')} c
        where c.table_id = ${tableId} and c.record_id = any(${recordIds}::text[]) and c.created_by = ${actor}
          and c.created_time between ${time}::timestamptz - interval '1 minute' and ${time}::timestamptz + interval '1 second'
        order by c.created_time`,
  );
