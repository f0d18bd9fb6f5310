// A template that comes with Rowhouse becomes tables of a base.
import type { FullTable } from '@rowhouse/contract/table.ts';
import type { NewView } from '@rowhouse/contract/view.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { actorOf, contextOf } from '../../pipeline/act-as.ts';
import { createField } from '../field/create-field.ts';
import { createTable } from '../table/create-table.ts';
import type { Day, Definition, FieldDefinition, TableDefinition } from './definition.ts';

const dayLong = 86_400_000;

/** The caller on a base or table that this very transaction has made. */
const on = async (tx: Tx, context: Context, type: 'base' | 'table', id: string): Promise<Context> => {
  const { principal, access } = await contextOf(context, tx, actorOf(context), { type, id }, [], context.requestId);
  return { ...context, db: tx, principal, access };
};

const shownOnCards = 4;

/** Cards show some of the fields, unless the view says which: a board of names alone tells little. */
const withCards = ({ name: tableName, fields }: TableDefinition, view: NewView): NewView => {
  if ((view.type !== 'kanban' && view.type !== 'gallery') || view.columnMeta !== undefined) return view;
  const used = Object.values(view.options ?? {});
  const places = fields
    .map(({ name }, order) => ({ place: `$${tableName}.${name}`, order }))
    .filter(({ place }) => !used.includes(place));
  return {
    ...view,
    columnMeta: Object.fromEntries(
      places.slice(0, shownOnCards + 1).map(({ place, order }) => [place, { order, visible: true }]),
    ),
  };
};

export const buildDefinition = async (
  tx: Tx,
  context: Context,
  baseId: string,
  { tables }: Definition,
  withRecords: boolean,
): Promise<void> => {
  const { newId, now } = context;
  /** Ids by `$Table` and `$Table.Field`. */
  const ids = new Map<string, string>();
  /** By table and name. */
  const recordIds = new Map<string, string>();
  const midnight = Math.floor(now().getTime() / dayLong) * dayLong;
  const day: Day = (fromToday) => new Date(midnight + fromToday * dayLong).toISOString();
  const resolved = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replace(/"(\$[^"]+)"/g, (whole, name: string) =>
        ids.has(name) ? `"${ids.get(name)}"` : whole,
      ),
    ) as T;
  const fieldOf = ({ otherSide: _left, ...field }: FieldDefinition, table: TableDefinition) => ({
    ...resolved(field),
    id: ids.get(`$${table.name}.${field.name}`) as string,
  });

  const cellOf = (field: FieldDefinition | undefined, value: unknown): unknown => {
    if (field?.otherSide === undefined) return value;
    const linked = (name: unknown): { id: string } => ({
      id: recordIds.get(`${String(field.options?.foreignTableId)} ${String(name)}`) as string,
    });
    return Array.isArray(value) ? value.map(linked) : linked(value);
  };

  const remember = (table: TableDefinition, made: FullTable): void => {
    ids.set(`$${table.name}`, made.id);
    const links = table.fields.filter(({ otherSide }) => otherSide !== undefined);
    for (const { name, options, otherSide } of links)
      ids.set(
        `${String(options?.foreignTableId)}.${otherSide}`,
        String(made.fields.find((field) => field.name === name)?.options.symmetricFieldId),
      );
    const primary = table.fields[0]?.name ?? '';
    for (const { id, fields } of made.records) recordIds.set(`$${table.name} ${String(fields[primary])}`, id);
  };

  for (const table of tables) {
    for (const { name } of [...table.fields, ...(table.laterFields ?? [])])
      ids.set(`$${table.name}.${name}`, newId('fld'));
    const byName = new Map(table.fields.map((field) => [field.name, field]));
    const rows = withRecords ? table.records(day) : [];
    const made = await createTable(await on(tx, context, 'base', baseId), {
      name: table.name,
      fields: table.fields.map((field) => fieldOf(field, table)),
      views: resolved(table.views.map((view) => withCards(table, view))),
      records: rows.map((row) => ({
        fields: Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(byName.get(name), value)])),
      })),
    });
    remember(table, made);
  }
  for (const table of tables) {
    for (const field of table.laterFields ?? []) {
      const tableId = ids.get(`$${table.name}`) as string;
      await createField(await on(tx, context, 'table', tableId), tableId, fieldOf(field, table));
    }
  }
  for (const { name } of tables) context.catalog.forget(ids.get(`$${name}`) as string);
};
