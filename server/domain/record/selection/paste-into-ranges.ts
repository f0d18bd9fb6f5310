// PATCH /table/:tableId/selection/paste: fields first, then changed records, then new ones, in one transaction.
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { NewField } from '@rowhouse/contract/field.ts';
import type { pasteIntoRanges as endpoint } from '@rowhouse/contract/selection.ts';
import { can } from '../../../catalog/access.ts';
import { sightOf } from '../../../catalog/sight.ts';
import { type FieldSchema, loadTable } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import { validator } from '../../../endpoint/validate.ts';
import { guardedTransaction, type TableContext, Unwritten } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { createField } from '../../field/create-field.ts';
import { announceCreate, planCreate, type PlannedCreate, writeCreate } from '../write/create-records.ts';
import {
  announceUpdate,
  explainNoUpdate,
  planUpdate,
  type PlannedUpdate,
  writeUpdate,
} from '../write/update-records.ts';
import {
  fieldFrom,
  type Header,
  readContent,
  type Rectangle,
  refuseTooMany,
  repeatsIn,
  targetOf,
  valueFor,
} from './pasted.ts';
import { readRanges } from './ranges.ts';
import { askedOf, maxCells, show } from './select.ts';

type Body = BodyOf<typeof endpoint>;

interface Pasted {
  operationIds: string[];
  answer: ResponseOf<typeof endpoint>;
}

interface Done extends Pasted {
  update: PlannedUpdate | undefined;
  create: PlannedCreate | undefined;
}

/** What a client was told of a field may be anything by the time it is sent back. */
const checkField = validator(NewField);

/** Nobody else can change the table while they are made. */
const mostFields = 100;

/** Fields for the columns beyond the last one, from the last of the headers. */
const addFields = async (context: TableContext, count: number, header: readonly Header[]): Promise<string[]> => {
  if (count > mostFields)
    throw invalid({
      path: 'content',
      message: `The content has ${count} columns more than there are fields`,
      expected: `at most ${mostFields} columns beyond the last field`,
    });
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const field = fieldFrom(header.at(at - count));
    checkField(field, `header[${Math.max(header.length - count, 0) + at}]`);
    ids.push((await createField(context, context.access.tableId, field)).id);
  }
  return ids;
};

const loadSight = async (context: TableContext) =>
  sightOf(context, await loadTable(context.db, context.access.baseId, context.access.tableId));

const pasteWithin = async (attempt: TableContext, body: Body, content: unknown[][]): Promise<Done> => {
  const operationIds: string[] = [];
  const context: TableContext = { ...attempt, noteOperation: (id) => void operationIds.push(id) };
  const asked = askedOf(body);
  const header = (body.header ?? []) as Header[];
  const ranges = readRanges(body.ranges, body.type, 'ranges');
  let sight = await loadSight(context);
  let shown = show(context.db, sight, asked, body);
  let { columns } = shown;
  // Only a range of columns needs to know how many rows there are.
  const rowCount = body.type === 'columns' ? (await shown.idsOf([[0, maxCells]])).length : 0;
  const target = targetOf(ranges, body.type, { columns: columns.length, rows: rowCount });
  const { across, down } = repeatsIn(target, content);
  const width = (content[0] as unknown[]).length * across;
  const height = content.length * down;
  refuseTooMany(width * height);

  const beyond = target.column + width - columns.length;
  if (beyond > 0 && can(context.access, 'field|create')) {
    const added = new Set(await addFields(context, beyond, header));
    sight = await loadSight(context);
    shown = show(context.db, sight, asked, {
      ...body,
      ...(body.projection === undefined ? {} : { projection: [...body.projection, ...added] }),
    });
    // Where the view would not show them, they stand behind the others all the same.
    columns = [...columns.map(({ id }) => id), ...added].flatMap((id): FieldSchema[] =>
      [sight.byId.get(id) ?? []].flat(),
    );
  }
  const fields = columns.slice(target.column, target.column + width);
  const cellsOf = (row: number): Record<string, unknown> =>
    Object.fromEntries(
      fields.flatMap((field, at) => {
        const own = at % (content[0] as unknown[]).length;
        return fieldTypeOf(field).isComputed
          ? []
          : [[field.id, valueFor(field, (content[row % content.length] as unknown[])[own], header[own])]];
      }),
    );

  const ids = await shown.idsOf([[target.row, target.row + height - 1]]);
  // Changed and new records are parts of one column.
  const columnValues = (fieldId: string): unknown[] => {
    const at = fields.findIndex(({ id }) => id === fieldId) % (content[0] as unknown[]).length;
    return content.map((row) => row[at]);
  };
  const cellRequest = {
    keyType: 'id',
    typecast: true,
    columnValues,
    placeOf: (index: number, key: string) => `content[${index}].${key}`,
  } as const;
  let update: PlannedUpdate | undefined;
  const isWritten = fields.some((field) => !fieldTypeOf(field).isComputed);
  if (ids.length > 0 && isWritten) {
    update = await planUpdate(context, sight, {
      ...cellRequest,
      rows: ids.map((id, row) => ({ id, fields: cellsOf(row) })),
    });
    if ((await writeUpdate(context, update)) instanceof Unwritten) throw await explainNoUpdate(context, update);
    operationIds.push(update.operation.publicId);
    if (update.added.size > 0) sight = await loadSight(context);
  }
  const created = can(context.access, 'record|create') ? height - ids.length : 0;
  let create: PlannedCreate | undefined;
  if (created > 0) {
    const rows = Array.from({ length: created }, (_item, at) => ({ fields: cellsOf(ids.length + at) }));
    create = await planCreate(context, sight, {
      ...cellRequest,
      rows,
      placeOf: (index, key) => `content[${ids.length + index}].${key}`,
    });
    if ((await writeCreate(context, create)) instanceof Unwritten) throw new Stale('access');
    operationIds.push(create.operation.publicId);
  }
  return {
    operationIds,
    update,
    create,
    answer: { ranges: cornersOf({ ...target, width: fields.length, height: ids.length + created }) },
  };
};

const cornersOf = ({ column, row, width, height }: Rectangle): [number, number][] => [
  [column, row],
  [column + Math.max(width, 1) - 1, row + Math.max(height, 1) - 1],
];

export const pasteIntoRanges = async (context: Context, body: Body): Promise<Pasted> => {
  // Before the transaction: nobody waits for a connection while it is read.
  const content = await readContent(body.content);
  const { update, create, ...pasted } = await guardedTransaction({ unconfirmed: context }, (within) =>
    pasteWithin(within, body, content),
  );
  // New fields and choices: while it was not committed, others may have read the table as it was.
  context.catalog.forget(context.access.tableId as string);
  if (update !== undefined) announceUpdate(context, update);
  if (create !== undefined) announceCreate(context, create);
  return pasted;
};
