// Names, options, filters and sorts become part of statements, and the file of a base may come from elsewhere: every row that
// is restored passes the same checks as what the API is sent.
import { isDeepStrictEqual } from 'node:util';
import { type CommentBlock, reactions as reactionKinds } from '@rowhouse/contract/comment.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { Description, Name, NewField } from '@rowhouse/contract/field.ts';
import { isId } from '@rowhouse/contract/id.ts';
import { maxFolderDepth } from '@rowhouse/contract/node.ts';
import { setDbTableName } from '@rowhouse/contract/table.ts';
import { NewView } from '@rowhouse/contract/view.ts';
import { Type } from 'typebox';
import { hiddenColumnName, selectTable } from '../../catalog/table.sql.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { StartError } from '../../db/error.ts';
import { type Validate, validator } from '../../endpoint/validate.ts';
import { isLink, saysWhereKeysAre } from '../cell/linked.sql.ts';
import { fieldTypeOf, ownColumnOf } from '../cell/types.ts';
import { readContent } from '../comment/content.ts';
import { completeOptions } from '../field/complete-options.ts';
import { checkDbName } from '../field/db-name.ts';
import { demandConstraints } from '../field/draft-field.ts';
import { fitView } from '../field/view-reference.ts';
import { orderColumnName } from '../record/order/order.sql.ts';
import { selectTemplates } from '../record-template/record-template.sql.ts';
import { selectFolders } from '../table/folder.sql.ts';
import { readColumn, readGroup, readOptions, readSort, readViewFilter } from '../view/read-parts.ts';
import type { Manifest, Shape } from './manifest.ts';
import { type RestoredTable, selectRestoredComments, selectRestoredTables, selectTrashedParts } from './restore.sql.ts';

type Columns = ReadonlyMap<string, string>;

type Known = Manifest['bases'][number] & { tableIds: ReadonlySet<string> };

// Without the limits of a request: imports bring longer ones along.
const StoredComment = Type.Object({
  content: Type.Array(
    Type.Union([
      Type.Object({
        type: Type.Literal('p'),
        children: Type.Array(
          Type.Union([
            Type.Object({ type: Type.Enum(['span', 'mention']), value: Type.String() }),
            Type.Object({ type: Type.Literal('a'), url: Type.String(), title: Type.String() }),
          ]),
        ),
      }),
      Type.Object({ type: Type.Literal('img'), path: Type.String(), width: Type.Optional(Type.Number()) }),
    ]),
  ),
  reactions: Type.Union([
    Type.Array(
      Type.Object({ reaction: Type.Enum([...reactionKinds]), user: Type.Array(Type.String({ maxLength: 50 })) }),
    ),
    Type.Null(),
  ]),
  createdBy: Type.String({ maxLength: 50 }),
});

const StoredTemplate = Type.Object({
  name: Name,
  cells: Type.Record(Type.String(), Type.Unknown()),
  choices: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
});

// Not before they are needed: every start of the program loads this file.
let validators:
  | Record<'table' | 'dbTableName' | 'field' | 'view' | 'columns' | 'comment' | 'template', Validate>
  | undefined;
const validate = (kind: keyof NonNullable<typeof validators>, value: unknown): void => {
  validators ??= {
    table: validator(
      Type.Object({
        name: Name,
        description: Type.Optional(Description),
        icon: Type.Optional(Type.String({ maxLength: 100 })),
      }),
    ),
    dbTableName: validator(setDbTableName.body),
    field: validator(NewField),
    view: validator(NewView),
    comment: validator(StoredComment),
    template: validator(StoredTemplate),
    columns: validator(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
  };
  validators[kind](value, '');
};

const demand = (isSo: boolean, fault: string): void => {
  if (!isSo) throw new Error(fault);
};

/** `key: value` unless it is null: what is not there is left out in requests. */
const unlessNull = <K extends string>(key: K, value: unknown): Record<string, unknown> =>
  value === null || value === undefined ? {} : { [key]: value };

const columnTypes: Record<string, string> = { timestamptz: 'timestamp with time zone' };

/** Links and lookups lead to tables of the base. */
const leadsElsewhere = ({ options, lookupOptions }: FieldSchema, tableIds: ReadonlySet<string>): boolean =>
  [options, lookupOptions].some(
    (given) =>
      given !== null && given !== undefined && 'foreignTableId' in given && !tableIds.has(String(given.foreignTableId)),
  );

const checkField = (
  { id: baseId, tableIds }: Known,
  field: FieldSchema,
  taken: ReadonlySet<string>,
  columns: Columns,
  columnName: string,
): void => {
  demand(isId('fld', field.id), 'it has no id of a field');
  demand(!isLink(field) || saysWhereKeysAre(field.options, baseId), 'it does not say where its keys are');
  demand(!leadsElsewhere(field, tableIds), 'it leads to a table of another base');
  const { name, type, description, options, dbFieldName, isUnique: unique, notNull } = field;
  validate('field', {
    name,
    type,
    options,
    dbFieldName,
    unique,
    notNull,
    ...unlessNull('description', description),
    ...unlessNull('isLookup', field.isLookup),
    ...unlessNull('lookupOptions', field.lookupOptions),
  });
  const fieldType = fieldTypeOf(field);
  demandConstraints(fieldType, { unique, notNull }, (key) => key);
  checkDbName(dbFieldName, taken, 'dbFieldName');
  completeOptions(fieldType, options, 'options');
  const column = ownColumnOf(field);
  demand(
    column === null || columns.get(columnName) === (columnTypes[column] ?? column),
    `its column "${columnName}" is not of the type ${column}`,
  );
};

const checkViewShape = (view: ViewSchema): void => {
  demand(isId('viw', view.id), 'it has no id of a view');
  const { name, type, options, columnMeta, position, isLocked, description, filter, sort, group } = view;
  validate('view', {
    name,
    type,
    options,
    columnMeta,
    order: position,
    isLocked,
    ...unlessNull('description', description),
    ...unlessNull('filter', filter),
    ...unlessNull('sort', sort),
    ...unlessNull('group', group),
  });
};

const checkView = (view: ViewSchema, byId: ReadonlyMap<string, FieldSchema>, columns: Columns): void => {
  readOptions(view.type, view.options, byId, 'options');
  readViewFilter(view.filter, byId, 'filter', () => true);
  readSort(view.sort, byId, 'sort');
  readGroup(view.group, byId, 'group');
  for (const [fieldId, column] of Object.entries(view.columnMeta)) {
    const place = `columnMeta.${fieldId}`;
    readColumn(view.type, column, fieldId, byId, { field: place, column: place }, () => true);
  }
  demand(!view.hasOrder || columns.has(orderColumnName(view.id)), 'its order has no column');
};

const columnsOf = (shapes: readonly Shape[], dbTableName: string): Columns =>
  new Map(shapes.find(({ name }) => name === dbTableName)?.columns.map(({ name, type }) => [name, type]) ?? []);

type Check = (what: string, work: () => void) => void;

const checkTable = async (
  db: Queryable,
  base: Known,
  { id, name, description, icon, dbTableName }: RestoredTable,
  taken: ReadonlySet<string>,
  check: Check,
): Promise<void> => {
  const columns = columnsOf(base.tables, dbTableName);
  check(`table ${id}`, () => {
    demand(isId('tbl', id), 'it has no id of a table');
    validate('table', { name, ...unlessNull('description', description), ...unlessNull('icon', icon) });
    validate('dbTableName', { dbTableName });
    checkDbName(dbTableName, taken, 'dbTableName');
  });
  const found = await selectTable(db, base.id, id);
  const fields = found?.fields ?? [];
  const seen = new Set<string>();
  for (const field of fields) {
    check(`field ${field.id} of type ${field.type}`, () => {
      checkField(base, field, seen, columns, field.dbFieldName);
      seen.add(field.dbFieldName);
    });
  }
  const primaries = fields.filter(({ isPrimary }) => isPrimary);
  check(`table ${id}`, () => {
    demand(
      primaries.length === 1 && fieldTypeOf(primaries[0] as FieldSchema).canBePrimary,
      'it has no primary field, or more than one',
    );
    demand(new Set(fields.map((field) => field.name)).size === fields.length, 'two of its fields have the same name');
  });
  const byId = new Map(fields.map((field) => [field.id, field]));
  for (const view of found?.views ?? []) {
    check(`view ${view.id}`, () => {
      checkViewShape(view);
      checkView(view, byId, columns);
    });
  }
  for (const { id: templateId, name: called, cells, choices } of await selectTemplates(db, id))
    check(`record template ${templateId}`, () => {
      demand(isId('rtp', templateId), 'it has no id of a template');
      // Whether its values fit their fields is asked whenever they are used.
      validate('template', { name: called, cells, choices });
    });
  const { fields: deleted, views } = await selectTrashedParts(db, id);
  for (const { id: fieldId, field, columns: places } of deleted) {
    check(`field ${fieldId} in the trash`, () => {
      checkField(base, { ...field, id: fieldId }, new Set(), columns, hiddenColumnName(fieldId));
      validate('columns', places);
    });
  }
  for (const { id: viewId, view } of views) {
    check(`view ${viewId} in the trash`, () => {
      checkViewShape({ ...view, id: viewId });
      // It may name fields that are gone since, which it loses when it comes back.
      checkView(fitView({ ...view, id: viewId }, byId), byId, columns);
    });
  }
};

const commentsAtOnce = 500;

/** Their content is shown in the app: addresses that could act are refused here as they are in a request. */
const checkComments = async (db: Queryable, { id: baseId }: Known, check: Check): Promise<void> => {
  for (let after = ''; ; ) {
    const comments = await selectRestoredComments(db, baseId, after, commentsAtOnce);
    for (const { id, tableId, recordId, quoteId, content, reactions, createdBy } of comments) {
      check(`comment ${id}`, () => {
        demand(
          isId('com', id) &&
            isId('tbl', tableId) &&
            isId('rec', recordId) &&
            (quoteId === null || isId('com', quoteId)),
          'it has no ids of a comment and a record',
        );
        validate('comment', { content, reactions, createdBy });
        demand(
          isDeepStrictEqual(readContent(content as CommentBlock[]), content),
          'its content is more than a comment holds',
        );
      });
    }
    const last = comments.at(-1);
    if (last === undefined || comments.length < commentsAtOnce) return;
    after = last.id;
  }
};

/** Before the commit, so that nothing is left of a file that is refused. */
export const demandValidRows = async (db: Queryable, path: string, base: Manifest['bases'][number]): Promise<void> => {
  const check: Check = (what, work) => {
    try {
      work();
    } catch (error) {
      const reason = error instanceof ApiError ? error.message : (error as Error).message;
      throw new StartError(`${path} cannot be used: ${what} is not what Rowhouse makes (${reason})`);
    }
  };
  check(`base ${base.id}`, () => validate('table', { name: base.name, ...unlessNull('icon', base.icon) }));
  const folders = await selectFolders(db, base.id);
  for (const { id, name } of folders)
    check(`folder ${id}`, () => {
      demand(isId('bnf', id), 'it has no id of a folder');
      validate('table', { name });
    });
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  for (const { id, parentId } of folders)
    check(`folder ${id}`, () => {
      let depth = 1;
      // A circle is too deep as well.
      for (let around = parentId; around !== null && depth <= maxFolderDepth; depth += 1)
        around = byId.get(around)?.parentId ?? null;
      demand(depth <= maxFolderDepth, 'it is nested too deep');
    });
  const taken = new Set<string>();
  const tables = await selectRestoredTables(db, base.id);
  const known: Known = { ...base, tableIds: new Set(tables.map(({ id }) => id)) };
  for (const table of tables) {
    await checkTable(db, known, table, taken, check);
    taken.add(table.dbTableName);
  }
  // A base of an older version has none.
  if (base.tables.some(({ name }) => name === '__comment')) await checkComments(db, known, check);
};
