// PATCH /table/:tableId/selection/temporaryPaste
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { previewPaste as endpoint } from '@rowhouse/contract/selection.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardedRead, seen } from '../../../pipeline/pipeline.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { type CellRequest, readChangedCells } from '../write/cells.ts';
import { filesFor } from '../write/files.ts';
import { splitLinks } from '../write/links.ts';
import { peopleFor } from '../write/people.ts';
import { cellContext, keysOf } from '../write/write.ts';
import { type Header, readContent, refuseTooMany, repeatsIn, targetOf, valueFor } from './pasted.ts';
import { readRanges } from './ranges.ts';
import { show } from './select.ts';

export const previewPaste = async (
  request: Unconfirmed,
  body: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const content = await readContent(body.content);
  return guardedRead(request, async (context, sight) => {
    const header = (body.header ?? []) as Header[];
    const { columns } = show(context.db, sight, body, body);
    const target = targetOf(readRanges(body.ranges, body.type, 'ranges'), body.type, {
      columns: columns.length,
      rows: content.length,
    });
    const { across, down } = repeatsIn(target, content);
    const own = (content[0] as unknown[]).length;
    refuseTooMany(own * across * content.length * down);
    const fields = columns.slice(target.column, target.column + own * across);
    const rows = Array.from({ length: content.length * down }, (_item, row) => ({
      fields: Object.fromEntries(
        fields.flatMap((field, at) =>
          fieldTypeOf(field).isComputed
            ? []
            : [[field.id, valueFor(field, (content[row % content.length] as unknown[])[at % own], header[at % own])]],
        ),
      ),
    }));
    const asked: CellRequest = { rows, keyType: 'id', typecast: true };
    const people = await peopleFor(context.db, sight.table, context.access.spaceId, () => keysOf(rows), false);
    const read = readChangedCells(
      sight,
      asked,
      cellContext(context, people, new Map(), await filesFor(context, sight, asked)),
    );
    // Links are shown as they were asked for: by id, or by a title that is looked for when it is pasted.
    const { cells, links } = splitLinks(read.columns);
    const answer = rows.map((_row, index) => ({
      fields: Object.fromEntries(
        [...cells, ...links].flatMap(({ field, values }) =>
          values[index] == null ? [] : [[field.id, values[index] as unknown]],
        ),
      ),
    }));
    return seen(context, sight, answer);
  });
};
