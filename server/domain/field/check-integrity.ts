// Whether the links of a base are whole, and making them so. `rowhouse doctor` looks at the same cells.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { checkIntegrity as endpoint, IntegrityIssue } from '@rowhouse/contract/integrity.ts';
import { bumpVersion } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { linkedBy, mayDangle } from '../cell/linked.sql.ts';
import { findWrongCells, mendCells } from '../computed/check-cells.ts';
import { countDangling } from '../computed/edge.sql.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { updateOptions } from './field.sql.ts';
import { type LinkRow, selectBaseName, selectKeyColumns, selectLinks } from './integrity.sql.ts';
import { createKeys, dropKeys } from './link-field.sql.ts';

interface Found extends IntegrityIssue {
  tableId: string;
  tableName: string;
}

const issue = (
  { tableId, tableName, fieldId }: Pick<LinkRow, 'tableId' | 'tableName' | 'fieldId'>,
  type: IntegrityIssue['type'],
  message: string,
): Found => ({ type, message, fieldId, tableId, tableName });

/** What is wrong with how a link is kept; nothing else can be said about one like that. */
const faultsOf = (link: LinkRow, table: TableSchema, columns: ReadonlySet<string>): Found[] => {
  const field = table.byId.get(link.fieldId) as FieldSchema;
  const linked = linkedBy(field, table.related.get(table.id));
  const { symmetricFieldId, lookupFieldId } = field.options;
  if (linked === undefined) return [];
  const found: Found[] = [];
  const has = (column: string): boolean => columns.has(`${linked.hostName}.${column}`);
  if (![...columns].some((name) => name.startsWith(`${linked.hostName}.`)))
    found.push(
      issue(
        link,
        'ForeignKeyHostTableNotFound',
        `The table ${linked.hostName} that holds the keys of "${link.fieldName}" is missing`,
      ),
    );
  else {
    if (!has(linked.selfKey))
      found.push(issue(link, 'SelfKeyNotFound', `The column ${linked.selfKey} of "${link.fieldName}" is missing`));
    if (!has(linked.foreignKey))
      found.push(
        issue(link, 'ForeignKeyNotFound', `The column ${linked.foreignKey} of "${link.fieldName}" is missing`),
      );
  }
  if (typeof symmetricFieldId === 'string' && linked.symmetric?.options.symmetricFieldId !== link.fieldId)
    found.push(
      issue(
        link,
        'SymmetricFieldNotFound',
        `The other side of "${link.fieldName}" is missing in "${linked.foreign.name}"`,
      ),
    );
  if (typeof lookupFieldId === 'string' && !linked.foreign.byId.has(lookupFieldId))
    found.push(
      issue(
        link,
        'ReferenceFieldNotFound',
        `The field that "${link.fieldName}" shows is missing in "${linked.foreign.name}"`,
      ),
    );
  return found;
};

const isUnreadable = ({ type }: IntegrityIssue): boolean =>
  type === 'ForeignKeyHostTableNotFound' || type === 'SelfKeyNotFound' || type === 'ForeignKeyNotFound';

const findIssues = async (db: Queryable, baseId: string): Promise<Found[]> => {
  const links = await selectLinks(db, baseId);
  const columns = await selectKeyColumns(db, baseId);
  const found: Found[] = [];
  for (const link of links) {
    if (!link.hasForeign)
      found.push(issue(link, 'ForeignTableNotFound', `The table that "${link.fieldName}" leads to does not exist`));
    else if (link.isLive) found.push(...faultsOf(link, await loadTable(db, baseId, link.tableId), columns));
  }
  // Cells are told by keys: without them nothing can be compared.
  if (found.some(isUnreadable)) return found;
  for (const link of links.filter(({ isLive }) => isLive)) {
    const table = await loadTable(db, baseId, link.tableId);
    const linked = linkedBy(table.byId.get(link.fieldId) as FieldSchema, table.related.get(table.id));
    const count =
      linked === undefined || linked.place === 'foreign' || mayDangle(linked) ? 0 : await countDangling(db, linked);
    if (count > 0)
      found.push(
        issue(
          link,
          'MissingRecordReference',
          `${count} key(s) of "${link.fieldName}" lead to records that do not exist`,
        ),
      );
  }
  for (const { tableId, tableName, fieldIds, fieldNames, count } of await findWrongCells(db, baseId)) {
    fieldIds.forEach((fieldId, at) => {
      if (!found.some((one) => one.fieldId === fieldId && one.type === 'MissingRecordReference'))
        found.push(
          issue(
            { tableId, tableName, fieldId },
            'InvalidLinkReference',
            `${count} cell(s) of "${fieldNames[at]}" are not what follows from the linked records`,
          ),
        );
    });
  }
  return found;
};

const of = (found: readonly Found[], tableId: string | undefined): Found[] =>
  found.filter((one) => tableId === undefined || one.tableId === tableId);

export const checkIntegrity = async (
  context: Context,
  tableId: string | undefined,
): Promise<ResponseOf<typeof endpoint>> => {
  const baseId = context.access.baseId as string;
  const found = of(await findIssues(context.db, baseId), tableId);
  const baseName = found.length === 0 ? '' : await selectBaseName(context.db, baseId);
  const tables = new Map(found.map((one) => [one.tableId, one.tableName]));
  return {
    hasIssues: found.length > 0,
    linkFieldIssues: [...tables].map(([id, tableName]) => ({
      baseId,
      baseName,
      tableId: id,
      tableName,
      issues: found.filter((one) => one.tableId === id).map(({ tableName: _name, ...told }) => told),
    })),
  };
};

/** Keys that are missing are made again, without links; a side that is missing is none any more. */
const mendLink = async (tx: Tx, baseId: string, { tableId, fieldId, type }: Found): Promise<void> => {
  const table = await loadTable(tx, baseId, tableId);
  const field = table.byId.get(fieldId);
  const linked = field === undefined ? undefined : linkedBy(field, table.related.get(table.id));
  if (field === undefined || linked === undefined) return;
  if (type === 'SymmetricFieldNotFound') {
    const { symmetricFieldId: _gone, ...options } = field.options;
    await updateOptions(tx, fieldId, { ...options, isOneWay: true });
  }
  if (type === 'ReferenceFieldNotFound')
    await updateOptions(tx, fieldId, { ...field.options, lookupFieldId: linked.foreign.primary.id });
  const columns = await selectKeyColumns(tx, baseId);
  const isWhole =
    columns.has(`${linked.hostName}.${linked.selfKey}`) && columns.has(`${linked.hostName}.${linked.foreignKey}`);
  if (isUnreadable({ type, message: '', fieldId }) && !isWhole) {
    await dropKeys(tx, linked);
    await createKeys(tx, linked);
  }
};

export const fixIntegrity = async (context: Context, tableId: string | undefined): Promise<IntegrityIssue[]> => {
  const baseId = context.access.baseId as string;
  const fixed = await retriedTransaction(context.db, async (tx) => {
    await closeGate(tx, baseId);
    const found = of(await findIssues(tx, baseId), tableId).filter(({ type }) => type !== 'ForeignTableNotFound');
    for (const one of found) await mendLink(tx, baseId, one);
    if (found.length > 0) await mendCells(tx, baseId);
    for (const id of new Set(found.flatMap((one) => one.tableId)))
      await bumpVersion(tx, baseId, id, { kind: 'schema', actor: context.principal.userId });
    return found;
  });
  for (const one of fixed) context.catalog.forget(one.tableId);
  return fixed.map(({ tableName: _name, ...told }) => told);
};
