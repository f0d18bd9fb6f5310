// What every aggregation does around its statements: plan on the remembered schema, and look whether it still holds.
import { Stale } from '../../catalog/stale.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Asked, Plan } from '../query/plan.ts';
import { selectVersions } from '../record/guard.sql.ts';
import { planFor } from '../record/list-records.ts';
import { retryWhenStale, tableOf } from '../record/write.ts';

export const demandPresent = (context: Context, table: TableSchema, present: { version: number | null; epoch: number }): void => {
  if (present.version !== table.version) throw new Stale('schema');
  if (present.epoch !== context.access.epoch) throw new Stale('access');
};

export const aggregate = <T>(context: Context, asked: Asked, work: (plan: Plan, table: TableSchema) => Promise<T>): Promise<T> =>
  retryWhenStale(context, async () => {
    const table = await tableOf(context);
    const result = await work(planFor(context, table, asked), table);
    // Looked up afterwards: what is still the same now was the same during the statements.
    demandPresent(context, table, await selectVersions(context.db, { table, epoch: context.access.epoch }));
    return result;
  });
