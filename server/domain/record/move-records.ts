// PUT /table/:tableId/view/:viewId/record-order
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { moveRecords as endpoint } from '@rowhouse/contract/view-order.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from '../field/change-schema.ts';
import { demandUnlocked, findView, type ViewPlace } from '../view/change-view.ts';
import { placeRecords, withOrderColumn } from './order.ts';
import { updatePositions } from './position.sql.ts';

export const moveRecords = (context: Context, { tableId, viewId }: ViewPlace, { anchorId, position, recordIds }: BodyOf<typeof endpoint>): Promise<void> =>
  changeSchema(
    context,
    tableId,
    async (tx, table) => {
      const view = findView(table, viewId);
      demandUnlocked(view);
      if (new Set(recordIds).size !== recordIds.length) throw invalid({ path: 'recordIds', message: 'A record is there twice', expected: 'every record once' });
      const target = await withOrderColumn(tx, table, view);
      const { positions } = await placeRecords(tx, target, { viewId, anchorId, position }, recordIds.length);
      const moved = new Set(await updatePositions(tx, target, viewId, recordIds, positions));
      const missing = recordIds.find((id) => !moved.has(id));
      if (missing !== undefined) throw notFound('Record', missing);
    },
    'view',
  );
