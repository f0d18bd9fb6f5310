// GET /export/:tableId
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import type { exportCsv as endpoint } from '@rowhouse/contract/export.ts';
import { demand } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { type Sight, sightKey } from '../../catalog/sight.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import type { Unconfirmed } from '../../context.ts';
import type { Db, Held } from '../../db/db.ts';
import { csvLine } from '../../endpoint/csv-line.ts';
import { StreamAnswer } from '../../endpoint/route.ts';
import type { Recheck } from '../../live.ts';
import { guardOf, selectFacts, type Standing } from '../../pipeline/guard.sql.ts';
import { guardedRead, type TableContext } from '../../pipeline/pipeline.ts';
import { queryFor } from '../record/read/list-records.ts';
import { makeParts, selectPart } from './export.sql.ts';

/** Milliseconds that a download may take: its connection is missed by others. */
const longest = 900_000;

/** Without it Excel reads UTF-8 as something else. */
const byteOrderMark = '\uFEFF';

const orderIn = ({ columnMeta }: ViewSchema, { id }: FieldSchema): number => (columnMeta[id]?.order as number | undefined) ?? Number.POSITIVE_INFINITY;

/** The primary field first, then as the view has them. */
const columnsOf = (view: ViewSchema | undefined, visible: readonly FieldSchema[]): readonly FieldSchema[] =>
  view === undefined ? visible : visible.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary) || orderIn(view, a) - orderIn(view, b));

const fileName = (sight: Sight, view: ViewSchema | undefined): string => encodeURIComponent(view === undefined ? sight.table.name : `${sight.table.name}_${view.name}`);

interface Opened {
  on: Held;
  context: TableContext;
  standing: Standing;
  header: string;
  name: string;
}

async function* read({ on, context, standing, header }: Opened, recheck: Recheck): AsyncGenerator<Buffer> {
  const { access, principal } = context;
  const until = performance.now() + longest;
  try {
    let { epoch } = access;
    let before = `${header}\r\n`;
    for (let part = '-1'; ; ) {
      const found = await selectPart(on, part, standing);
      // A table without records is its header.
      if (found === undefined) {
        if (part === '-1') yield Buffer.from(header);
        return;
      }
      if (found.epoch !== epoch) {
        const now = await recheck.run();
        if (sightKey(now.sight, principal.userId) !== sightKey(access.sight, principal.userId)) throw forbidden('What you see of this table has changed; export it again');
        epoch = found.epoch;
      }
      if (performance.now() > until) throw new Error('a download took longer than it may');
      yield Buffer.from(`${before}${found.lines}`);
      before = '\r\n';
      ({ part } = found);
    }
  } finally {
    on.release();
  }
}

const csvHeader = (fields: readonly FieldSchema[]): string => `${byteOrderMark}${csvLine(fields.map(({ name }) => name)).slice(0, -2)}`;

export const exportCsv = async (request: Unconfirmed, query: QueryOf<typeof endpoint>, recheck: Recheck): Promise<StreamAnswer> => {
  const opened = await guardedRead(request, async (context, sight) => {
    demand(context.access, 'record|read', context.access.tableId);
    if (query.viewId !== undefined) demand(context.access, 'view|read', context.access.tableId);
    const { view, visible, where, keys } = queryFor(sight, query);
    if (view !== undefined && view.type !== 'grid') throw invalid({ path: 'query.viewId', message: `View ${view.id} is a ${view.type} view`, expected: 'the id of a grid view' });
    const fields = columnsOf(view, visible);
    const standing = guardOf(context, sight.table);
    const on = await (context.db as Db).hold();
    try {
      await makeParts(on, sight, { fields, where, keys });
      const facts = await selectFacts(on, sight.table, standing);
      return { facts, value: { on, context, standing, header: csvHeader(fields), name: fileName(sight, view) }, discard: async () => on.release() };
    } catch (error) {
      on.release();
      throw error;
    }
  });
  const { on, context, name } = opened;
  const { baseId, tableId } = context.access;
  await writeAudit(on, doerOf(context), 'table.exported', { baseIds: [baseId] }, { baseId, tableId, ...query }).catch((error: unknown) => {
    on.release();
    throw error;
  });
  return new StreamAnswer(read(opened, recheck), { 'content-disposition': `attachment; filename=${name}.csv` });
};
