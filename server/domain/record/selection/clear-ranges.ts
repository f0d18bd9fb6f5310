// PATCH /table/:tableId/selection/clear
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { clearRanges as endpoint } from '@rowhouse/contract/selection.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardedRead, seen } from '../../../pipeline/pipeline.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { changeRecords } from '../write/update-records.ts';
import { areaOf, readRanges } from './ranges.ts';
import { askedOf, selectArea, show } from './select.ts';

/** The operation; empty when there was nothing to write. */
export const clearRanges = async (request: Unconfirmed, body: BodyOf<typeof endpoint>): Promise<string> => {
  const area = areaOf(readRanges(body.ranges, body.type, 'ranges'), body.type);
  const { ids, fields } = await guardedRead(request, async (context, sight) =>
    seen(context, sight, await selectArea(show(context.db, sight, askedOf(body), body), area, 'clear')),
  );
  const empty = Object.fromEntries(
    fields.filter((field) => !fieldTypeOf(field).isComputed).map((field) => [field.id, null]),
  );
  if (ids.length === 0 || Object.keys(empty).length === 0) return '';
  const { operationId } = await changeRecords(request, {
    rows: ids.map((id) => ({ id, fields: empty })),
    keyType: 'id',
    typecast: false,
  });
  return operationId;
};
