import type { ChartDataOf } from '@rowhouse/contract/chart-data.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Queryable } from '../../db/db.ts';
import type { Sql } from '../../db/sql.ts';
import type { Drawn, ResolvedChart } from './resolve-chart.ts';

/** What a chart is computed from. */
export interface Asking {
  db: Queryable;
  sight: Sight;
  chart: Drawn;
  resolved: ResolvedChart;
  where: Sql | null;
  counted: Pick<ChartDataOf<'groups'>, 'tableId' | 'viewId' | 'filter' | 'measures' | 'groupedBy'>;
}
