// What a write of records does before its own statements: files, the gate, choices, a place in a view, and records for new titles.
import { type Sight, sightOn, viewIn } from '../../../catalog/sight.ts';
import type { Order } from '@rowhouse/contract/record.ts';
import type { Context } from '../../../context.ts';
import type { SettlePlan } from '../../computed/plan.ts';
import { placeRecords, withOrderColumn } from '../order/order.ts';
import { addChoices } from './add-choices.ts';
import { claimFiles } from './files.ts';
import type { OrderColumn } from './insert.sql.ts';
import type { Unlinked } from './link-targets.ts';
import { passGate } from './links.ts';
import type { NewChoices } from './write.ts';

interface ToOpen {
  sight: Sight;
  ids: readonly string[];
  /** Tokens of the files that its cells mention. */
  files: readonly string[];
  added: NewChoices;
  unlinked: Unlinked;
  plan: SettlePlan | null;
}

export interface Opened {
  /** On the schema that is written with: choices may have been added. */
  sight: Sight;
  order: OrderColumn | null;
}

export const openWrite = async (
  context: Context,
  { sight, ids, files, added, unlinked, plan }: ToOpen,
  order: Order | undefined,
): Promise<Opened> => {
  const { db } = context;
  await claimFiles(context, files);
  // On the pool the transaction is begun later, with the gate.
  if (plan !== null && db.kind === 'transaction') await passGate(db, plan);
  let { table } = sight;
  if (added.size > 0) table = await addChoices(db, table, added);
  if (order !== undefined) table = await withOrderColumn(db, table, viewIn(sight, order.viewId));
  const present = table === sight.table ? sight : sightOn(sight, table);
  const placed = order === undefined ? null : await placeRecords(db, present, order, ids.length);
  await unlinked.create(context);
  return { sight: present, order: placed };
};
