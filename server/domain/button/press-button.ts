import {
  type ButtonOptions,
  fieldsInAddress,
  filledAddress,
  isUsedUp,
  type pressButton as endpoint,
} from '@rowhouse/contract/button.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, forbidden, notFound } from '@rowhouse/contract/error.ts';
import { can } from '../../catalog/access.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Context, Unconfirmed } from '../../context.ts';
import { guardedWrite } from '../../pipeline/pipeline.ts';
import type { Tx } from '../../db/db.ts';
import { startByButton } from '../automation/start-by-button.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import type { FirstAnswer } from '../record/write/idempotency.sql.ts';
import { once } from '../record/write/once.ts';
import { countSteps, type OfCell } from './write-count.ts';

const optionsOf = (field: FieldSchema): ButtonOptions => field.options as unknown as ButtonOptions;

const demandPress = (context: Context, field: FieldSchema): void => {
  demandFeature(context, 'buttonFieldEnable');
  if (optionsOf(field).mayPress === 'editors' && !can(context.access, 'record|update'))
    throw forbidden(`Only people who may change the record press "${field.name}"`);
};

/** As other programs take it: numbers and dates without a format, people, files and records by their names. */
const textOf = (cell: unknown): string => {
  if (cell === null || cell === undefined) return '';
  if (Array.isArray(cell)) return cell.map(textOf).join(',');
  if (typeof cell !== 'object') return String(cell);
  const { title, name } = cell as { title?: unknown; name?: unknown };
  return String(title ?? name ?? '');
};

/** With the cells as the one who presses sees them. */
const addressOf = async (
  context: Pick<Context, 'db'>,
  sight: Sight,
  field: FieldSchema,
  recordId: string,
): Promise<string | undefined> => {
  const { action, url } = optionsOf(field);
  if (action !== 'openLink' || url === undefined) return undefined;
  const fields = fieldsInAddress(url).map((id) => {
    const named = sight.byId.get(id);
    if (named === undefined) throw conflict(`The address of "${field.name}" names a field that is not there`);
    return named;
  });
  if (fields.length === 0) return url;
  const [row] = await selectRecords(context.db, sight, [recordId], { fields, keyType: 'id', format: 'json' });
  const cells = row === undefined ? {} : (JSON.parse(`${row.json}}`) as { fields: Record<string, unknown> }).fields;
  return filledAddress(url, (id) => textOf(cells[id]));
};

type PressAnswer = ResponseOf<typeof endpoint>;
type Followed = Pick<PressAnswer, 'runId' | 'url'>;

const pressSteps = (cell: OfCell) =>
  countSteps<Followed, PressAnswer>({
    cell,
    demand: demandPress,
    next(field, count) {
      const options = optionsOf(field);
      if (isUsedUp(options, { count }))
        throw conflict(
          `"${options.label}" was pressed ${count} ${count === 1 ? 'time' : 'times'}, and may be pressed no more than ${options.maxCount}`,
        );
      return { count: count + 1 };
    },
    async follow(context, sight, field) {
      const { baseId } = context.access;
      const { tableId, recordId } = cell;
      const url = await addressOf(context, sight, field, recordId);
      const press = { baseId, tableId, fieldId: field.id, recordId, userId: context.principal.userId };
      return url === undefined ? { runId: await startByButton(context, context.db as Tx, press) } : { runId: '', url };
    },
    answer(context, recordJson, followed) {
      if (followed.runId !== '') context.work.wake();
      return answerOf(cell, recordJson, followed);
    },
  });

const answerOf = ({ tableId, fieldId }: OfCell, recordJson: string, followed: Followed): PressAnswer => ({
  ...followed,
  tableId,
  fieldId,
  record: JSON.parse(recordJson),
});

/** The address holds cells: for somebody who sees others by now it is made again. */
const followedNow = async (context: Context, sight: Sight, cell: OfCell, followed: Followed): Promise<Followed> => {
  if (followed.url === undefined) return followed;
  const field = sight.byId.get(cell.fieldId);
  if (field === undefined) throw notFound('Field', cell.fieldId);
  const url = await addressOf(context, sight, field, cell.recordId);
  return { runId: followed.runId, ...(url === undefined ? {} : { url }) };
};

/** What followed from the press, with the record as it is by now. */
const pressedBefore = async (
  context: Context,
  sight: Sight,
  cell: OfCell,
  { text, sameSight }: FirstAnswer,
): Promise<PressAnswer> => {
  const kept = JSON.parse(text as string) as Followed;
  const followed = sameSight ? kept : await followedNow(context, sight, cell, kept);
  const [row] = await selectRecords(context.db, sight, [cell.recordId], {
    fields: sight.fields,
    keyType: 'id',
    format: 'json',
  });
  if (row === undefined) throw notFound('Record', cell.recordId);
  return answerOf(cell, `${row.json}}`, followed);
};

/** A press with a key that was sent before, such as after a broken connection, counts and starts nothing again. */
export const pressButton = (request: Unconfirmed, cell: OfCell, key: string | undefined): Promise<PressAnswer> => {
  const steps = pressSteps(cell);
  if (key === undefined) return guardedWrite(request, steps);
  return once(request, { press: cell }, key, {
    ...steps,
    kept: async (_context, { update }, { done }) => ({
      operationId: update.operation.publicId,
      text: JSON.stringify(done),
    }),
    again: (context, sight, first) => pressedBefore(context, sight, cell, first),
  });
};
