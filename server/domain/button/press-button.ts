import {
  type ButtonOptions,
  fieldsInAddress,
  filledAddress,
  isUsedUp,
  type pressButton as endpoint,
} from '@rowhouse/contract/button.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, forbidden } from '@rowhouse/contract/error.ts';
import { can } from '../../catalog/access.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Context, Unconfirmed } from '../../context.ts';
import { guardedWrite, type TableContext } from '../../pipeline/pipeline.ts';
import type { Tx } from '../../db/db.ts';
import { startByButton } from '../automation/start-by-button.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { selectRecords } from '../record/read/read.sql.ts';
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
  context: TableContext,
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

export const pressButton = (request: Unconfirmed, cell: OfCell): Promise<ResponseOf<typeof endpoint>> =>
  guardedWrite(
    request,
    countSteps({
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
        return { url, runId: url === undefined ? await startByButton(context, context.db as Tx, press) : '' };
      },
      answer(context, recordJson, { url, runId }) {
        if (runId !== '') context.work.wake();
        return {
          runId,
          tableId: cell.tableId,
          fieldId: cell.fieldId,
          record: JSON.parse(recordJson),
          ...(url === undefined ? {} : { url }),
        };
      },
    }),
  );
