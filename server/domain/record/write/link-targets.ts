// With typecast, records are linked by their titles: which records have them is looked up before anything is written, and records for titles that no
// record has are made in the transaction of the write.
import { invalid } from '@rowhouse/contract/error.ts';
import { foldTitle } from '@rowhouse/contract/fold.ts';
import { can } from '../../../catalog/access.ts';
import { type Sight, sightOf } from '../../../catalog/sight.ts';
import type { RelatedTable, TableSchema } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import { ask } from '../../../db/ask.ts';
import { guardOf } from '../../../pipeline/guard.sql.ts';
import { tableBeside, type TableContext } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { type Linked, linkedBy } from '../../cell/linked.sql.ts';
import type { LinkTarget } from '../../cell/type/link.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { keyOf } from '../read/field-key.ts';
import { type CellRequest, type Cells, type Column, readNewCells } from './cells.ts';
import { insertAsk } from './insert.sql.ts';
import { insertWithQuota } from './insert-with-quota.ts';
import { selectByFoldedTitle, selectByTitle } from './link-targets.sql.ts';
import { splitLinks } from './links.ts';
import { grantsFor } from './permits.sql.ts';
import type { MadeRecords } from './side-effects.ts';
import { cellContext, createOperationOf } from './write.ts';

/** Records that are to be made for titles, before the write that links to them. */
export interface Unlinked {
  /** Which they will be. */
  records: readonly MadeRecords[];
  create(context: Context): Promise<void>;
}

const nothing: Unlinked = { records: [], create: async () => undefined };

const targetsIn = (column: Column): LinkTarget[] => column.values.flatMap((value) => (value ?? []) as LinkTarget[]);

/** The title field of the other table can be written, and the link shows what is written there. Rules that ask something of new records there are not asked from here. */
const canCreate = ({ title, foreign }: Linked, { access }: Context): boolean => {
  const may = access.rights.of(foreign.id)?.may;
  return (
    !fieldTypeOf(title).isComputed &&
    title.isPrimary &&
    can(access, 'record|create') &&
    (may === undefined || grantsFor(may.create, title.id).some(({ after }) => after === true))
  );
};

interface Creation {
  foreign: RelatedTable;
  /** Title → id. */
  titles: ReadonlyMap<string, string>;
  operationId: string;
}

const createTitled = async (context: Context, { foreign, titles, operationId }: Creation): Promise<void> => {
  const table: TableSchema = await tableBeside(context as TableContext, foreign.baseId, foreign.id);
  const sight = sightOf(context, table);
  const rows = [...titles.keys()].map((title) => ({ fields: { [table.primary.id]: title } }));
  const { columns } = readNewCells(
    sight,
    table,
    { rows, keyType: 'id', typecast: true },
    cellContext(context, [], new Map()),
  );
  const ids = [...titles.values()];
  const guard = guardOf(context, table);
  const operation = { ...createOperationOf(context, ids.length, null), publicId: operationId };
  const insert = async ({ db }: Pick<Context, 'db'>) =>
    ask(db, insertAsk(guard, { sight, ids, columns, order: null }, 'id', [operation]));
  if (((await insert(context)) ?? (await insertWithQuota(context, guard, ids.length, insert))) === undefined)
    throw new Stale('schema');
};

/** Titles in link columns become ids. What is told of the typecast says what became of them. */
export const resolveTargets = async (
  context: Context,
  sight: Sight,
  cells: Cells,
  request: CellRequest,
): Promise<Unlinked> => {
  const { table } = sight;
  const { links } = splitLinks(cells.columns);
  if (links.length === 0) return nothing;
  const creations: Creation[] = [];
  for (const column of links) {
    const linked = linkedBy(column.field, table.related.get(table.id));
    if (linked === undefined) {
      const at = column.values.findIndex((value) => value !== null);
      if (at === -1) continue;
      throw invalid({
        path: `records[${at}].fields.${keyOf(column.field, request.keyType)}`,
        message: `The table that "${column.field.name}" links to is in the trash`,
        expected: 'no value',
      });
    }
    const titles = [...new Set(targetsIn(column).flatMap((target) => ('title' in target ? [target.title] : [])))];
    if (titles.length === 0) continue;
    const items = sight.rule.items?.get(column.field.id);
    const seen = items === undefined ? undefined : { ...items, asker: sight.asker };
    const found = await selectByTitle(context.db, linked, titles, seen);
    const missing = titles.filter((title) => !found.has(title));
    if (missing.length > 0)
      for (const [title, id] of await selectByFoldedTitle(context.db, linked, missing, seen)) found.set(title, id);
    const created = new Map<string, string>();
    const newIds = new Map<string, string>();
    for (const title of canCreate(linked, context) ? missing : []) {
      if (found.has(title)) continue;
      // Written in two ways, it is one record.
      const known = newIds.get(foldTitle(title));
      if (known === undefined) created.set(title, context.newId('rec'));
      else found.set(title, known);
      newIds.set(foldTitle(title), known ?? (created.get(title) as string));
    }
    if (created.size > 0)
      creations.push({ foreign: linked.foreign, titles: created, operationId: context.newId('opr') });
    const key = keyOf(column.field, request.keyType);
    column.values.forEach((value, index) => {
      if (value === null) return;
      const targets = value as LinkTarget[];
      if (!targets.some((target) => 'title' in target)) return;
      const ids = [
        ...new Set(
          targets.flatMap((target) =>
            'id' in target ? [target.id] : (found.get(target.title) ?? created.get(target.title) ?? []),
          ),
        ),
      ];
      column.values[index] = ids.length === 0 ? null : ids.map((id) => ({ id }));
      const entry = cells.report?.entries.find((one) => one.index === index && one.field === key);
      if (entry === undefined) return;
      entry.to = column.values[index];
      if (targets.some((target) => 'title' in target && created.has(target.title))) entry.note = 'created';
      else if (ids.length < targets.length) entry.note = 'dropped';
    });
  }
  return creations.length === 0
    ? nothing
    : {
        records: creations.map(({ foreign, titles, operationId }) => ({
          tableId: foreign.id,
          operationId,
          count: titles.size,
        })),
        async create(within) {
          for (const creation of creations) await createTitled(within, creation);
        },
      };
};
