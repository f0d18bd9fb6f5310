import type { Sight } from '../../catalog/sight.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { FeedRow } from '../feed/feed.sql.ts';
import { recordJson } from '../record/read/json.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';

/** A record to try an automation with: the one that is named, or the first. */
export const selectSample = async (
  db: Queryable,
  sight: Sight,
  recordId: string | null,
): Promise<{ id: string; fields: Record<string, unknown> } | undefined> => {
  const shape = { fields: sight.fields, keyType: 'id' as const, format: 'json' as const };
  const found = await maybe<{ json: string }>(
    db,
    sql`select ${recordJson(sight, 'r', shape)} || '}' as json from ${seenRows(sight)} r
        where ${recordId}::text is null or r.__id = ${recordId} order by r.__auto_number limit 1`,
  );
  return found === undefined ? undefined : (JSON.parse(found.json) as { id: string; fields: Record<string, unknown> });
};

/** The operations of a run, in the transaction that wrote them. */
export const selectWritten = (db: Queryable, baseId: string, runId: string): Promise<FeedRow[]> =>
  many<FeedRow>(
    db,
    sql`select o.id::int as seq, o.id as "opId", o.public_id as "operationId", o.table_id as "tableId", o.kind, o.actor, o.row_delta as "rowDelta",
               cardinality(o.record_ids) as "recordCount", to_json(o.record_ids)::text as "recordIds", o.field_ids as "fieldIds", null as cause, null as causes,
               o.client_id as "clientId", null as form, o.time
        from ${sql.id(baseId, '__operation')} o where o.client_id = ${runId} order by o.id`,
  );
