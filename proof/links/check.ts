// At rest: what people read of a net agrees with itself, worked out here from the cells that they write, and not by the server's own expressions.
import type { Field } from '@rowhouse/contract/field.ts';
import { getRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { isLinkField, look, type Net, note, type Side, sideOf } from './net.ts';

type Cells = Record<string, unknown>;
type Records = Map<string, Cells>;

const readAll = async ({ call }: Net, { tableId }: Side): Promise<Records> => {
  const records: Records = new Map();
  for (let skip = 0; ; skip += 1_000) {
    const found = await call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id', take: 1_000, skip } });
    if (found.status !== 200) throw new Error(`the records cannot be read: ${JSON.stringify(found.body)}`);
    for (const { id, fields } of found.body.records) records.set(id, fields as Cells);
    if (found.body.records.length < 1_000) return records;
  }
};

interface Target {
  id: string;
  title?: string;
}

const targetsOf = (cell: unknown): Target[] =>
  cell == null ? [] : Array.isArray(cell) ? (cell as Target[]) : [cell as Target];

const listOf = (cell: unknown): unknown[] => (cell == null ? [] : Array.isArray(cell) ? cell : [cell]);

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

interface Seen {
  net: Net;
  records: Map<string, Records>;
}

const checkLink = ({ net, records }: Seen, side: Side, link: Field): void => {
  const { failures } = net;
  const foreign = sideOf(net, link.options['foreignTableId']);
  if (foreign === undefined) return;
  const [own, others] = [records.get(side.tableId) as Records, records.get(foreign.tableId) as Records];
  const where = (id: string): string => `"${link.name}" (${link.id}) of record ${id}`;
  const symmetricId = link.options['symmetricFieldId'] as string | undefined;
  const takers = new Map<string, string>();
  const isExclusive = link.options['relationship'] === 'oneMany' || link.options['relationship'] === 'oneOne';
  for (const [id, cells] of own) {
    const targets = targetsOf(cells[link.id]);
    failures.demand(
      new Set(targets.map((target) => target.id)).size === targets.length,
      () => `${where(id)} names a record twice`,
    );
    for (const target of targets) {
      const other = others.get(target.id);
      failures.demand(other !== undefined, () => `${where(id)} leads to ${target.id}, which is not there`);
      if (other === undefined) continue;
      // The primary field is the text that people write.
      failures.demand(
        same(target.title, other[foreign.nameId]),
        () => `${where(id)} shows "${target.title}" for "${String(other[foreign.nameId])}"`,
      );
      if (symmetricId !== undefined)
        failures.demand(
          targetsOf(other[symmetricId]).some((back) => back.id === id),
          () => `${where(id)} leads to ${target.id}, which does not lead back`,
        );
      if (isExclusive)
        failures.demand(
          !takers.has(target.id),
          () => `${where(id)} has ${target.id}, which ${takers.get(target.id)} has, too`,
        );
      takers.set(target.id, id);
    }
  }
};

/** Lookups without a filter, and sums and counts. */
const checkLookup = ({ net, records }: Seen, side: Side, field: Field): void => {
  const { linkFieldId, lookupFieldId, filter } = (field.lookupOptions ?? {}) as Record<string, unknown>;
  const link = side.fields.find(({ id }) => id === linkFieldId);
  const foreign = sideOf(net, link?.options['foreignTableId']);
  if (link === undefined || foreign === undefined || filter !== undefined) return;
  const others = records.get(foreign.tableId) as Records;
  const isCount = field.type === 'count' && field.isLookup !== true;
  const function_ = isCount
    ? 'countall'
    : field.isLookup === true
      ? 'lookup'
      : String(field.options['expression']).replace('({values})', '');
  for (const [id, cells] of records.get(side.tableId) as Records) {
    const targets = targetsOf(cells[link.id]);
    const items = targets.flatMap((target) => listOf(others.get(target.id)?.[lookupFieldId as string]));
    const found = cells[field.id];
    const demand = (expected: unknown): void =>
      net.failures.demand(
        same(found, expected),
        () =>
          `"${field.name}" (${field.id}) of record ${id} is ${JSON.stringify(found)?.slice(0, 200)} instead of ${JSON.stringify(expected)?.slice(0, 200)}`,
      );
    if (function_ === 'lookup')
      demand(items.length === 0 ? undefined : field.isMultipleCellValue === true ? items : items[0]);
    if (isCount) demand(targets.length === 0 ? undefined : targets.length);
    if (
      function_ === 'sum' &&
      items.every((item) => typeof item === 'number' && Math.abs(item) < 1e6 && Number.isInteger(item * 1_000))
    ) {
      const isEmpty = link.isMultipleCellValue === true ? targets.length === 0 : items.length === 0;
      const sum = items.reduce((total: number, item) => total + Math.round((item as number) * 1_000), 0) / 1_000;
      demand(isEmpty ? undefined : sum);
    }
  }
};

/** What a write answers is what is read right after it. */
const checkAnswers = async (net: Net): Promise<void> => {
  for (const side of net.sides) {
    const recordId = side.ids[0];
    if (recordId === undefined) continue;
    const params = { tableId: side.tableId, recordId };
    const answered = note(
      net,
      'updating',
      await net.call(updateRecord, {
        params,
        body: {
          fieldKeyType: 'id',
          record: { fields: { [side.nameId]: `last ${side.tableId}`, [side.amountId]: 0.5 } },
        },
      }),
    );
    if (answered.status !== 200) continue;
    const read = await net.call(getRecord, { params, query: { fieldKeyType: 'id' } });
    const [one, other] = [answered.body.fields as Cells, read.body.fields as Cells];
    const differing = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (key) => !same(one[key], other[key]),
    );
    net.failures.none(`cells of ${recordId} that were answered otherwise than they are read`, differing);
  }
};

export const checkNet = async (net: Net): Promise<void> => {
  await look(net);
  await checkAnswers(net);
  const records = new Map<string, Records>();
  for (const side of net.sides) records.set(side.tableId, await readAll(net, side));
  const seen: Seen = { net, records };
  for (const side of net.sides) {
    for (const field of side.fields) {
      if (field.hasError === true) continue;
      if (isLinkField(field)) checkLink(seen, side, field);
      else if (field.lookupOptions !== undefined) checkLookup(seen, side, field);
    }
  }
};
