// Beside table/dashboard.sql.ts the second writer of rowhouse.dashboard_items: charts name choices in their filters.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface StoredChart {
  id: string;
  storage: Record<string, unknown>;
}

/** Charts of the base that name the field somewhere, for the rest of the transaction. Those in the trash, too. */
export const lockChartsNaming = (tx: Queryable, baseId: string, fieldId: string): Promise<StoredChart[]> =>
  many<StoredChart>(
    tx,
    sql`select i.id, i.storage from rowhouse.dashboard_items i join rowhouse.dashboards d on d.id = i.dashboard_id
        where d.base_id = ${baseId} and position(${fieldId} in i.storage::text) > 0 order by i.id for update of i`,
  );

export const updateCharts = async (tx: Queryable, charts: readonly StoredChart[]): Promise<void> => {
  await tx.query(
    sql`update rowhouse.dashboard_items i set storage = n.storage, version = version + 1
        from jsonb_to_recordset(${JSON.stringify(charts)}::jsonb) as n(id text, storage jsonb) where i.id = n.id`,
  );
};
