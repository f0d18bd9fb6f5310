import { invalid } from '@rowhouse/contract/error.ts';
import type { FullTable, NewTable } from '@rowhouse/contract/table.ts';
import { selectEpochs } from '../../catalog/access.sql.ts';
import { presentEpoch, restsOn } from '../../catalog/access.ts';
import { sightOf } from '../../catalog/sight.ts';
import { type FieldSchema, loadTable, type TableSchema, type ViewSchema } from '../../catalog/table.ts';
import { namedJob } from '../../catalog/outbox.ts';
import { eyesOf } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { createTableState } from '../../db/base-schema.ts';
import type { Tx } from '../../db/db.ts';
import { setUnique } from '../field/column.sql.ts';
import { checkDbTableName, dbNameFrom, freeDbName } from '../field/db-name.ts';
import { demandFreeIds } from '../field/demand-free-ids.ts';
import { demandTracked } from '../field/demand-tracked.ts';
import { demandZone } from '../field/demand-zone.ts';
import { demandButton } from '../field/demand-button.ts';
import { draftField } from '../field/draft-field.ts';
import { insertFields } from '../field/field.sql.ts';
import { asksByFilter, asksToLookUp, withLookupOptions } from '../field/lookup-field.ts';
import { settleLookups } from '../field/settle-lookups.ts';
import { fieldVo } from '../field/field-vo.ts';
import { resolveFormulas } from '../field/resolve-formula.ts';
import { isLink } from '../cell/linked.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { faultOf } from '../computed/graph.ts';
import { completeOptions } from '../field/complete-options.ts';
import { addOtherSide } from '../field/create-field.ts';
import { demandForeign, draftLink, type LinkDraft, makeKeys } from '../field/link-field.ts';
import { bumpQuietly, bumpVersion, lockSchemasOf, noteTables, selectBridges } from '../../catalog/table.sql.ts';
import { relatedTo } from '../../catalog/related.ts';
import { guardedTransaction, Unwritten } from '../../pipeline/pipeline.ts';
import { Stale } from '../../pipeline/stale.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { demandBytes } from '../plan/demand-bytes.ts';
import { showToReader } from '../sql-access/reader.ts';
import { type CreateInput, createdRecords, planCreate, writeCreate } from '../record/write/create-records.ts';
import { refuseTooMany } from '../record/write/write.ts';
import { draftView } from '../view/draft-view.ts';
import { viewVo } from '../view/view-vo.ts';
import { insertViews, type ViewRow } from '../view/view.sql.ts';
import { defaultFields, defaultRecords } from './default-table.ts';
import { lastPosition, readTree, settleTree } from './arrange.ts';
import { lockBase } from './find-table.ts';
import {
  createRecordTable,
  insertTable,
  selectTable,
  selectTables,
  selectTakenDbNames,
  type TableRow,
} from './table.sql.ts';
import { type Links, lookupPlaceholder, withLookups } from './draft-lookups.ts';
import { closeLinks } from './related-tables.ts';
import { tableVo } from './table-vo.ts';
import { parseInSlices } from '../../work/parse-slices.ts';
import { createPause } from '../../work/slices.ts';

const draftFields = (context: Context, given: NonNullable<NewTable['fields']>): FieldSchema[] => {
  const fields: FieldSchema[] = [];
  given.forEach((one, index) => {
    const field = asksToLookUp(one)
      ? lookupPlaceholder(context, one, fields, `fields[${index}]`)
      : draftField(context.newId, one, fields, `fields[${index}]`);
    if (index === 0 && (asksToLookUp(one) || !fieldTypeOf(field).canBePrimary)) {
      throw invalid({
        path: 'fields[0].type',
        message: `The first field is the primary one and cannot be of type ${one.type}${one.isLookup === true ? ', looked up' : ''}`,
        expected: 'a type that can name a record',
      });
    }
    fields.push({ ...field, isPrimary: index === 0 });
  });
  for (const [index, field] of fields.entries())
    if (isLink(field)) completeOptions(fieldTypeOf(field), field.options, `fields[${index}].options`);
  fields.forEach((field, index) => {
    demandTracked(field, fields, `fields[${index}].options`);
    demandButton(context, field, fields, `fields[${index}].options`);
  });
  return fields;
};

/** A new table has no records yet: its formulas have nothing to fill. */
const withFormulas = (fields: readonly FieldSchema[]): FieldSchema[] =>
  resolveFormulas(fields, (index) => `fields[${index}]`).map((field) =>
    field.computed?.state === 'settling' ? { ...field, computed: { ...field.computed, state: 'settled' } } : field,
  );

const draftViews = (
  context: Context,
  given: NonNullable<NewTable['views']>,
  fields: readonly FieldSchema[],
): ViewSchema[] => {
  const views: ViewSchema[] = [];
  given.forEach((one, index) => views.push(draftView(context.newId, one, fields, views, `views[${index}]`)));
  return views;
};

/** Links are complete once the tables are known that they lead to. */
const draftLinks = async (tx: Tx, context: Context, name: string, fields: readonly FieldSchema[]): Promise<Links> => {
  const baseId = context.access.baseId as string;
  const drafts: LinkDraft[] = [];
  const complete: FieldSchema[] = [];
  const table = { ...emptyTable, baseId, name, fields, primary: fields[0] as FieldSchema };
  // Two links to the same table bring it two fields, of different names.
  const added = new Map<string, FieldSchema[]>();
  for (const [index, field] of fields.entries()) {
    if (!isLink(field)) complete.push(field);
    else {
      const at = `fields[${index}].options`;
      const foreign = await demandForeign(tx, baseId, field.options, at);
      const more = added.get(foreign.id) ?? [];
      const draft = draftLink(context, table, { ...foreign, fields: [...foreign.fields, ...more] }, field, at);
      if (draft.symmetric !== null) added.set(foreign.id, [...more, draft.symmetric]);
      drafts.push(draft);
      complete.push(draft.field);
    }
  }
  return { fields: complete, drafts };
};

/** After the table is there: the other sides, and the keys. */
const addLinks = async (tx: Tx, context: Context, tableId: string, { drafts }: Links): Promise<string[]> => {
  const baseId = context.access.baseId as string;
  for (const { symmetric, foreign } of drafts) {
    if (symmetric === null) continue;
    const options = { ...symmetric.options, foreignTableId: tableId };
    await addOtherSide(
      tx,
      await loadTable(tx, baseId, foreign.id),
      { ...symmetric, options },
      context.principal.userId,
    );
  }
  const table = await loadTable(tx, baseId, tableId);
  for (const { field } of drafts) await makeKeys(tx, table, field.id);
  const fault = faultOf(table);
  if (fault !== undefined)
    throw invalid({ path: 'fields', message: fault, expected: 'fields that do not depend on each other in a circle' });
  const others = [...table.related.keys()].filter((id) => id !== tableId);
  const told = new Set(drafts.flatMap(({ symmetric, foreign }) => (symmetric === null ? [] : [foreign.id])));
  for (const id of told) await bumpVersion(tx, baseId, id, { kind: 'schema', actor: context.principal.userId });
  await bumpQuietly(
    tx,
    baseId,
    others.filter((id) => !told.has(id)),
  );
  return others;
};

/** In place of a table that is not there yet. */
const emptyTable: TableSchema = {
  id: '',
  baseId: '',
  name: '',
  dbTableName: '',
  version: 0,
  fields: [],
  views: [],
  hidden: [],
  byId: new Map(),
  byName: new Map(),
  byDbName: new Map(),
  related: new Map(),
  primary: undefined as unknown as FieldSchema,
};

interface TableDraft {
  /** Made here if left out. */
  id?: string;
  name: string;
  dbTableName?: string | undefined;
  description: string | null;
  icon: string | null;
  order?: number | undefined;
  /** The top of the base if left out. */
  folderId?: string | null | undefined;
  fields: readonly FieldSchema[];
  views: readonly ViewSchema[];
}

/** The table without records: its rows, its state, and the table that will hold its records. */
export const addTable = async (
  tx: Tx,
  context: Context,
  draft: TableDraft,
): Promise<{ tableId: string; views: ViewRow[] }> => {
  const baseId = context.access.baseId as string;
  const { userId } = context.principal;
  await lockBase(tx, baseId);
  const siblings = await selectTables(tx, baseId);
  const name = uniqueName(
    draft.name,
    siblings.map((table) => table.name),
  );
  const dbNames = await selectTakenDbNames(tx, baseId, draft.dbTableName ?? dbNameFrom(name));
  const dbTableName =
    draft.dbTableName === undefined
      ? freeDbName(name, dbNames)
      : checkDbTableName(draft.dbTableName, dbNames, 'dbTableName');
  const position = draft.order ?? lastPosition(await readTree(tx, baseId)) + 1;
  const table = { id: draft.id ?? context.newId('tbl'), baseId, dbTableName };
  await insertTable(tx, {
    ...table,
    name,
    description: draft.description,
    icon: draft.icon,
    position,
    folderId: draft.folderId ?? null,
    createdBy: userId,
  });
  await createTableState(tx, baseId, table.id);
  await createRecordTable(tx, table, draft.fields);
  for (const field of draft.fields) if (field.isUnique) await setUnique(tx, table, field, 'unique');
  await insertFields(tx, table.id, draft.fields, userId);
  const views = await insertViews(tx, table.id, draft.views, userId);
  await showToReader(tx, baseId, table.id);
  if (draft.order === undefined) await settleTree(tx, baseId);
  await noteTables(tx, baseId, userId);
  return { tableId: table.id, views };
};

/**
 * Who may create a table was decided when the request came. Were its first records to rest on that moment, whatever is taken
 * away from anybody meanwhile would make all of it start over, again and again on a busy instance.
 */
const withPresentEpoch = async (context: Context): Promise<Context> => {
  const { access, db } = context;
  return { ...context, access: { ...access, epoch: presentEpoch(access, await selectEpochs(db, restsOn(access))) } };
};

const mostTries = 50;

/** Nothing is written when that moment has passed already. Only this transaction knows the table, so nothing else about it can have changed. */
const insertFirst = async (within: Context, table: TableSchema, input: CreateInput): Promise<FullTable['records']> => {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const context = await withPresentEpoch(within);
    const planned = await planCreate(context, sightOf(context, table), input);
    const written = await writeCreate(context, planned);
    if (!(written instanceof Unwritten))
      return (await parseInSlices(
        `[${[...createdRecords(context, planned, written)].join('')}]`,
        createPause(),
      )) as FullTable['records'];
  }
  throw new Stale('access');
};

/** `findFolder` says in which folder it goes, once the base is locked. */
export const createTable = async (
  context: Context,
  given: NewTable,
  findFolder?: (tx: Tx) => Promise<string | null>,
): Promise<FullTable> => {
  demandBytes(context);
  const baseId = context.access.baseId as string;
  const wanted =
    given.fields === undefined || given.fields.length === 0 ? defaultFields : given.fields.map(withLookupOptions);
  const looksUp = wanted.some(asksToLookUp);
  const drafted = draftFields(context, wanted);
  // What is looked up can be told once the links are known, and what formulas make of it.
  const fields = looksUp ? drafted : withFormulas(drafted);
  const viewsOf = (known: readonly FieldSchema[]): ViewSchema[] =>
    draftViews(
      context,
      given.views === undefined || given.views.length === 0 ? [{ type: 'grid' }] : given.views,
      known,
    );
  const plainViews = looksUp ? [] : viewsOf(fields);
  const rows = given.records ?? defaultRecords(fields);
  refuseTooMany(rows.length, context.config.recordsPerRequest);
  const linking = [
    ...fields.filter(isLink).map(({ options }) => String(options.foreignTableId)),
    ...wanted.filter(asksByFilter).map(({ lookupOptions }) => String(lookupOptions?.foreignTableId)),
  ];
  let related: string[] = [];
  const made = await guardedTransaction({ unconfirmed: context }, async (within) => {
    const { db: tx } = within;
    if (linking.length > 0) {
      await closeLinks(tx, baseId);
      const bridges = await selectBridges(tx, baseId);
      await lockSchemasOf(tx, baseId, [...new Set(linking.flatMap((id) => [id, ...relatedTo(id, bridges)]))]);
    }
    if (findFolder !== undefined) await lockBase(tx, baseId);
    const folderId = await findFolder?.(tx);
    const links = await draftLinks(tx, within, given.name ?? 'New table', fields);
    const complete = looksUp ? withFormulas(await withLookups(tx, within, baseId, wanted, links)) : links.fields;
    await demandFreeIds(
      tx,
      (given.fields ?? []).flatMap(({ id }, index) => (id === undefined ? [] : [{ id, at: `fields[${index}].id` }])),
    );
    for (const [index, field] of complete.entries()) await demandZone(tx, field, `fields[${index}].options`);
    const added = await addTable(tx, within, {
      name: given.name ?? 'New table',
      dbTableName: given.dbTableName,
      description: given.description ?? null,
      icon: given.icon ?? null,
      order: given.order,
      folderId,
      fields: complete,
      views: looksUp ? viewsOf(complete) : plainViews,
    });
    if (linking.length > 0) related = await addLinks(tx, within, added.tableId, links);
    if (looksUp) await settleLookups(tx, { baseId, id: added.tableId });
    const table = await loadTable(tx, baseId, added.tableId);
    const records =
      rows.length === 0
        ? []
        : await insertFirst(within, table, { rows, keyType: given.fieldKeyType ?? 'name', typecast: false });
    const row = (await selectTable(tx, baseId, added.tableId)) as TableRow;
    return {
      ...tableVo(baseId, row),
      fields: table.fields.map(fieldVo),
      views: added.views.map((view) => viewVo(view, eyesOf(context.principal))),
      records,
    };
  });
  for (const id of related) context.catalog.forget(id);
  // Its first records may name people.
  if (rows.length > 0) context.work.add(namedJob(baseId));
  return made;
};
