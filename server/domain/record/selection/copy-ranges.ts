// GET /table/:tableId/selection/copy
import { toDelimited } from '@rowhouse/contract/delimited.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { copyRanges as endpoint } from '@rowhouse/contract/selection.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { seesDefinitions } from '../../../catalog/principal.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import { guardedRead, seen } from '../../../pipeline/pipeline.ts';
import { createPause } from '../../../work/slices.ts';
import { seenField } from '../../field/seen-parts.ts';
import { selectRecords } from '../read/read.sql.ts';
import { areaOf, readRangesText } from './ranges.ts';
import { selectArea, show } from './select.ts';

/** Without a scope for fields nothing of how they are defined, but what a paste needs to know. */
const headerOf = ({ principal }: Pick<Context, 'principal'>, sight: Sight, field: FieldSchema): Field => {
  const vo = seenField(sight, field);
  const { description: _description, ...others } = vo;
  return seesDefinitions(principal) ? vo : { ...others, options: {} };
};

export const copyRanges = (
  request: Unconfirmed,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> =>
  guardedRead(request, async (context, sight) => {
    const area = areaOf(readRangesText(query.ranges, query.type), query.type);
    const { fields, ids } = await selectArea(show(context.db, sight, query, query), area, 'copy');
    const found =
      ids.length === 0 ? [] : await selectRecords(context.db, sight, ids, { fields, keyType: 'id', format: 'text' });
    const cells = new Map<string, Record<string, string>>();
    const pause = createPause();
    for (const { id, json } of found) {
      const turn = pause();
      if (turn !== undefined) await turn;
      cells.set(id, (JSON.parse(`${json}}`) as { fields: Record<string, string> }).fields);
    }
    const rows = ids.flatMap((id) => {
      const texts = cells.get(id);
      return texts === undefined ? [] : [fields.map((field) => texts[field.id] ?? '')];
    });
    return seen(context, sight, {
      content: toDelimited(rows),
      header: fields.map((field) => headerOf(context, sight, field)),
    });
  });
