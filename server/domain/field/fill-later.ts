// Leaves columns to a job. Until it is through, their cells are read by their expressions.
import { newId } from '@rowhouse/contract/id.ts';
import type { ComputedState, FieldSchema, RelatedTable } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { addJob } from '../../work/job.sql.ts';
import { leadsToSeveral } from '../cell/type/link.ts';
import { updateComputed } from './field.sql.ts';

export const settleKind = 'fill-formulas';

export interface SettlePayload {
  baseId: string;
  /** Any of the tables that links join. */
  tableId: string;
  /** Which fields: a later change of the schema names another one. */
  run: string;
}

const settlingOf = ({ computed, options }: FieldSchema, run: string): ComputedState => ({
  ...(computed ?? { cellValueType: 'string', isMultiple: leadsToSeveral(options) }),
  state: 'settling',
  run,
});

/** One job for all that is to be filled among the tables that links join: what another job was filling begins again with it. */
export const fillLater = async (tx: Tx, table: RelatedTable, fieldIds: ReadonlySet<string>): Promise<void> => {
  const payload: SettlePayload = { baseId: table.baseId, tableId: table.id, run: newId('job') };
  for (const field of [...table.related.values()].flatMap(({ fields }) => fields)) {
    if (fieldIds.has(field.id) || field.computed?.state === 'settling')
      await updateComputed(tx, { ...field, computed: settlingOf(field, payload.run) });
  }
  await addJob(tx, { kind: settleKind, key: `${table.id} ${payload.run}`, baseId: table.baseId, payload });
};

/** After a change of fields: jobs that were added one after the other become one. */
export const joinJobs = async (tx: Tx, table: RelatedTable): Promise<void> => {
  const runs = new Set(
    [...table.related.values()]
      .flatMap(({ fields }) => fields)
      .filter(({ computed }) => computed?.state === 'settling')
      .map(({ computed }) => computed?.run),
  );
  if (runs.size > 1) await fillLater(tx, table, new Set());
};
