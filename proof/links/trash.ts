// Links, lookups and whole tables of a net that go to the trash and come back, in any order.
import { deleteField } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import type { Random } from '../random.ts';
import { look, type Net, note, operationOf, type Side } from './net.ts';

export interface Away {
  fields: { tableId: string; operationId: string }[];
  tables: Side[];
}

const deleteOne = async (net: Net, random: Random, away: Away): Promise<void> => {
  const there = net.sides.filter((side) => !away.tables.includes(side));
  const made = there.flatMap((side) =>
    side.fields
      .filter(({ type, isLookup, isComputed }) => type === 'link' || isLookup === true || isComputed === true)
      .map(({ id }) => ({ tableId: side.tableId, fieldId: id })),
  );
  if (made.length === 0) return;
  const params = random.pick(made);
  const gone = note(net, 'deleting a field', await net.call(deleteField, { params }));
  const operationId = operationOf(gone);
  if (gone.status === 200 && operationId !== undefined) away.fields.push({ tableId: params.tableId, operationId });
};

const bringOneBack = async (net: Net, random: Random, away: Away): Promise<void> => {
  const [field] = away.fields.splice(random.below(away.fields.length), 1);
  if (field === undefined) return;
  const { tableId, operationId } = field;
  const back = note(
    net,
    'bringing a field back',
    await net.call(restoreHistory, { params: { tableId }, body: { operationId } }),
    409,
  );
  // Its table is in the trash, too.
  if (back.status === 404) away.fields.push(field);
};

const deleteSide = async (net: Net, random: Random, away: Away): Promise<void> => {
  const side = random.pick(net.sides.filter((one) => !away.tables.includes(one)));
  note(net, 'deleting a table', await net.call(deleteTable, { params: { baseId: net.baseId, tableId: side.tableId } }));
  away.tables.push(side);
};

const bringSideBack = async (net: Net, random: Random, away: Away): Promise<void> => {
  const [side] = away.tables.splice(random.below(away.tables.length), 1);
  if (side === undefined) return;
  const { trashItems } = (await net.call(listTrashItems, { query: { resourceType: 'base', resourceId: net.baseId } }))
    .body;
  const trashId = trashItems.find(({ resourceId }) => resourceId === side.tableId)?.id as string;
  const back = note(net, 'bringing a table back', await net.call(restoreTrash, { params: { trashId } }));
  net.failures.demand(
    back.status === 201,
    () => `a table did not come back: ${JSON.stringify(back.body).slice(0, 300)}`,
  );
};

/** One thing goes, or comes back. One table stays in any case. */
export const comeAndGo = async (net: Net, random: Random, away: Away): Promise<void> => {
  const dice = random.below(10);
  if (dice < 4) await deleteOne(net, random, away);
  else if (dice < 7) await bringOneBack(net, random, away);
  else if (dice < 8 && away.tables.length < net.sides.length - 1) await deleteSide(net, random, away);
  else await bringSideBack(net, random, away);
  await look(net);
};

/** Tables first: fields come back to tables that are there. */
export const bringAllBack = async (net: Net, random: Random, away: Away): Promise<void> => {
  while (away.tables.length > 0) await bringSideBack(net, random, away);
  for (let left = away.fields.length; left > 0; left -= 1) await bringOneBack(net, random, away);
  await look(net);
};
