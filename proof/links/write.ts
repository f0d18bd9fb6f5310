// Writers in a random net: everything that can become of records and links, at random.
import type { Field } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, updateRecords } from '@rowhouse/contract/record.ts';
import type { Random } from '../random.ts';
import { linksOf, type Net, note, operationOf, type Side, sideOf } from './net.ts';

type Fields = Record<string, unknown>;

export interface Writer {
  net: Net;
  random: Random;
  mark: string;
  /** Its own deletions, which it may undo. */
  deletions: { side: Side; operationId: string; ids: string[] }[];
  turn: number;
}

/** Undefined: nobody to link to. */
const linkValue = ({ net, random }: Writer, link: Field): unknown => {
  const ids = sideOf(net, link.options['foreignTableId'])?.ids ?? [];
  if (random.once(5) || ids.length === 0) return null;
  if (link.isMultipleCellValue !== true) return { id: random.pick(ids) };
  return [...new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(ids)))].map((id) => ({ id }));
};

const cellsOf = (writer: Writer, side: Side): Fields => {
  const { random, mark, turn } = writer;
  const cells: Fields = {};
  const links = linksOf(side);
  if (links.length > 0 && random.below(10) < 6) {
    const link = random.pick(links);
    cells[link.id] = linkValue(writer, link);
  }
  if (Object.keys(cells).length === 0 || random.once(3)) cells[side.nameId] = `${mark} ${turn}`;
  if (random.once(3)) cells[side.amountId] = random.once(6) ? null : random.below(100) / 10;
  if (random.once(4)) cells[side.doneId] = random.once(2) ? true : null;
  return cells;
};

const create = async (writer: Writer, side: Side): Promise<void> => {
  const { net, random } = writer;
  const { call } = net;
  const records = Array.from({ length: 1 + random.below(3) }, () => ({ fields: cellsOf(writer, side) }));
  const made = note(
    net,
    'creating',
    await call(createRecords, { params: { tableId: side.tableId }, body: { fieldKeyType: 'id', records } }),
  );
  if (made.status === 201) side.ids.push(...made.body.records.map(({ id }) => id));
};

const update = async (writer: Writer, side: Side): Promise<void> => {
  const { net, random } = writer;
  const { call } = net;
  const ids = random.shuffled(side.ids).slice(0, random.once(2) ? 1 : 1 + random.below(4));
  if (ids.length === 0) return;
  const records = ids.map((id) => ({ id, fields: cellsOf(writer, side) }));
  note(
    net,
    'updating',
    await call(updateRecords, { params: { tableId: side.tableId }, body: { fieldKeyType: 'id', records } }),
  );
};

const remove = async (writer: Writer, side: Side): Promise<void> => {
  const { net, random } = writer;
  const { call } = net;
  if (side.ids.length < 4) return;
  const ids = Array.from(
    { length: 1 + random.below(2) },
    () => side.ids.splice(random.below(side.ids.length), 1)[0] as string,
  );
  const gone = note(
    net,
    'deleting',
    await call(deleteRecords, { params: { tableId: side.tableId }, query: { recordIds: ids } }),
  );
  const operationId = operationOf(gone);
  if (gone.status === 200 && operationId !== undefined) writer.deletions.push({ side, operationId, ids });
};

const bringBack = async (writer: Writer): Promise<void> => {
  const { net, random, deletions } = writer;
  const { call } = net;
  const [deletion] = deletions.splice(random.below(deletions.length), 1);
  if (deletion === undefined) return;
  const { side, operationId, ids } = deletion;
  const back = note(
    net,
    'restoring',
    await call(restoreHistory, { params: { tableId: side.tableId }, body: { operationId } }),
    409,
  );
  if (back.status === 200) side.ids.push(...ids);
};

/** One random request. */
export const writeOnce = async (writer: Writer): Promise<void> => {
  const { net, random } = writer;
  const side = random.pick(net.sides);
  const dice = random.below(20);
  writer.turn += 1;
  if (dice < 4) await create(writer, side);
  else if (dice < 16) await update(writer, side);
  else if (dice < 18) await remove(writer, side);
  else await bringBack(writer);
};
