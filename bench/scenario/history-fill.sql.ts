// Writes a long history at once: no API could in an acceptable time.
import type pg from 'pg';
import { historyName } from '../ground.ts';
import type { RawTable } from '../process/raw.sql.ts';

interface Filled {
  fieldId: string;
  recordId: string;
  author: string;
  /** Made forty entries, at the very beginning. */
  rareAuthor: string;
}

const entriesPerOperation = 10;
const entriesPerRecord = 40;
const authors = 20;

/** `isFresh`: as right after a burst of writes, with no statistics of it. */
export const fillHistory = async (
  db: pg.Client,
  table: RawTable,
  entries: number,
  isFresh = false,
): Promise<Filled> => {
  const operations = entries / entriesPerOperation;
  const records = entries / entriesPerRecord;
  const record = (number: string): string => `'rec' || lpad(substr(md5((${number})::text), 1, 16), 16, '0')`;
  const fields = await db.query<{ id: string }>(
    'select id from rowhouse.fields where table_id = $1 order by position',
    [table.tableId],
  );
  for (const name of isFresh ? [historyName(table), `"${table.baseId}".__operation`] : [])
    await db.query(`alter table ${name} set (autovacuum_enabled = off)`);
  // Histories name the versions of fields that writes have made; here nothing was written yet.
  await db.query(
    `insert into "${table.baseId}".__field_version (table_id, field_id, version, meta)
     select table_id, id, 1, jsonb_build_object('name', name, 'type', type, 'cellValueType', 'string', 'options', options) from rowhouse.fields where table_id = $1 order by position`,
    [table.tableId],
  );
  await db.query(
    `insert into rowhouse.users (id, email, name) select 'usrBenchmark' || lpad(n::text, 7, '0'), 'author-' || n || '@example.com', 'Author ' || n
     from generate_series(0, ${authors}) n on conflict do nothing`,
  );
  await db.query(
    `insert into "${table.baseId}".__operation (public_id, table_id, kind, actor, record_ids, time)
     select 'opr' || lpad(n::text, 16, '0'), $1, 'update', 'usrBenchmark' || lpad((case when n <= 4 then 0 else n % ${authors} + 1 end)::text, 7, '0'), array[${record(`n * 7919 % ${records}`)}],
            now() - interval '1 day' + n * interval '40 ms'
     from generate_series(1, ${operations}) n`,
    [table.tableId],
  );
  await db.query(
    `insert into ${historyName(table)} (op_id, seq, record_id, meta_id, before, after)
     select o.id, s, ${record(`(o.id * ${entriesPerOperation} + s) * 7919 % ${records}`)}, v.low + (o.id + s) % ${fields.rows.length}, '"before ' || o.id || '"', '"after ' || o.id || '"'
     from "${table.baseId}".__operation o, generate_series(1, ${entriesPerOperation}) s, (select min(id) as low from "${table.baseId}".__field_version where table_id = $1) v
     order by o.id, s`,
    [table.tableId],
  );
  for (const name of isFresh ? [] : [historyName(table), `"${table.baseId}".__operation`])
    await db.query(`vacuum analyze ${name}`);
  const found = await db.query<{ id: string }>(
    `select record_id as id from ${historyName(table)} where op_id = (select max(op_id) / 2 from ${historyName(table)}) limit 1`,
  );
  return {
    fieldId: fields.rows[3]?.id as string,
    recordId: found.rows[0]?.id as string,
    author: 'usrBenchmark0000007',
    rareAuthor: 'usrBenchmark0000000',
  };
};
