// Links as fields: what a request for one means, where its keys are, and the field of the other side, which comes and goes with it.
import { invalid } from '@rowhouse/contract/error.ts';
import type { NewField, Relationship } from '@rowhouse/contract/field.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { type FieldSchema, loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { isLink, type Linked, linkedBy, mayDangle } from '../cell/linked.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { dropDangling } from '../computed/edge.sql.ts';
import { freeDbName } from './db-name.ts';
import { maxFields } from './draft-field.ts';
import { createKeys, selectIsInBase } from './link-field.sql.ts';

const inverse: Record<Relationship, Relationship> = {
  oneOne: 'oneOne',
  manyMany: 'manyMany',
  oneMany: 'manyOne',
  manyOne: 'oneMany',
};

type Options = Record<string, unknown>;

/** The table that a request for a link names, when it can be linked to. */
export const demandForeign = async (
  tx: Queryable,
  baseId: string,
  options: Options,
  at: string,
): Promise<TableSchema> => {
  const { foreignTableId, baseId: foreignBaseId } = options as { foreignTableId: string; baseId?: string | null };
  if (foreignBaseId != null && foreignBaseId !== baseId)
    throw invalid({
      path: `${at}.baseId`,
      message: 'Links to tables of another base are not supported yet',
      expected: 'the id of this base, or nothing',
    });
  if (!(await selectIsInBase(tx, baseId, foreignTableId)))
    throw invalid({
      path: `${at}.foreignTableId`,
      message: `This base has no table ${foreignTableId.slice(0, 50)}`,
      expected: 'the id of a table of this base',
    });
  return loadTable(tx, baseId, foreignTableId);
};

/** What a field of the other table can show as the title of its records. */
export const demandTitle = (foreign: TableSchema, lookupFieldId: unknown, at: string): FieldSchema => {
  if (lookupFieldId == null) return foreign.primary;
  const title = foreign.byId.get(String(lookupFieldId));
  if (title === undefined || !fieldTypeOf(title).canBePrimary) {
    throw invalid({
      path: `${at}.lookupFieldId`,
      message: `"${foreign.name}" has no field ${String(lookupFieldId).slice(0, 50)} that could name a record`,
      expected: 'the id of a field of the linked table that could be its primary field',
    });
  }
  return title;
};

/** Which records a picker offers, and what it shows of them. */
const limitsOf = ({ filterByViewId, visibleFieldIds, filter }: Options): Options => ({
  ...(filterByViewId === undefined ? {} : { filterByViewId }),
  ...(visibleFieldIds === undefined ? {} : { visibleFieldIds }),
  ...(filter === undefined ? {} : { filter }),
});

/** Where the keys of a new link are. */
export const keysOf = (
  baseId: string,
  own: { id: string; dbTableName: string },
  foreign: { dbTableName: string },
  relationship: Relationship,
  symmetricId: string | undefined,
): Options => {
  const key = `__fk_${own.id}`;
  if (relationship === 'manyOne' || relationship === 'oneOne')
    return { fkHostTableName: `${baseId}.${own.dbTableName}`, selfKeyName: '__id', foreignKeyName: key };
  if (relationship === 'oneMany' && symmetricId !== undefined)
    return {
      fkHostTableName: `${baseId}.${foreign.dbTableName}`,
      selfKeyName: `__fk_${symmetricId}`,
      foreignKeyName: '__id',
    };
  return symmetricId === undefined
    ? { fkHostTableName: `${baseId}.junction_${own.id}`, selfKeyName: `__fk_rad${randomText(16)}`, foreignKeyName: key }
    : {
        fkHostTableName: `${baseId}.junction_${own.id}_${symmetricId}`,
        selfKeyName: `__fk_${symmetricId}`,
        foreignKeyName: key,
      };
};

export interface LinkDraft {
  field: FieldSchema;
  /** Of the other side; null when the link is one-way. */
  symmetric: FieldSchema | null;
  foreign: TableSchema;
}

/** What the options of a link say about the other side; `known`: its options so far. */
const mirrored = (table: Pick<TableSchema, 'id' | 'primary'>, field: FieldSchema, known: Options = {}): Options => {
  const { relationship, fkHostTableName, selfKeyName, foreignKeyName } = field.options as {
    relationship: Relationship;
  } & Record<string, string>;
  const { lookupFieldId = table.primary.id } = known;
  return {
    ...limitsOf(known),
    relationship: inverse[relationship],
    foreignTableId: table.id,
    lookupFieldId,
    fkHostTableName,
    selfKeyName: foreignKeyName,
    foreignKeyName: selfKeyName,
    symmetricFieldId: field.id,
  };
};

/** The field of the other side of a link. `siblings`: the fields of its table; `known`: as it was before, when there was one. */
export const draftOtherSide = (
  table: Pick<TableSchema, 'id' | 'name' | 'primary'>,
  field: FieldSchema,
  siblings: readonly FieldSchema[],
  known?: FieldSchema,
): FieldSchema => {
  if (known !== undefined) return { ...known, options: mirrored(table, field, known.options) };
  const name = uniqueName(
    table.name,
    siblings.map((one) => one.name),
  );
  return {
    id: field.options.symmetricFieldId as string,
    name,
    description: null,
    type: field.type,
    options: mirrored(table, field),
    dbFieldName: freeDbName(name, new Set(siblings.map((one) => one.dbFieldName))),
    isPrimary: false,
    notNull: false,
    isUnique: false,
    position: siblings.reduce((last, one) => Math.max(last, one.position), -1) + 1,
    version: 1,
  };
};

/** `field` is as it was drafted: with the options that were sent. `known`: the other side, when it has one already. */
export const draftLink = (
  context: Pick<Context, 'newId'>,
  table: TableSchema,
  foreign: TableSchema,
  field: FieldSchema,
  at: string,
  known?: FieldSchema,
): LinkDraft => {
  const {
    relationship,
    isOneWay = false,
    lookupFieldId,
  } = field.options as { relationship: Relationship; isOneWay?: boolean; lookupFieldId?: string | null };
  const symmetricId = isOneWay ? undefined : (known?.id ?? context.newId('fld'));
  const title = demandTitle(foreign, lookupFieldId, at);
  const keys = keysOf(
    table.baseId,
    { id: field.id, dbTableName: table.dbTableName },
    foreign,
    relationship,
    symmetricId,
  );
  const drafted: FieldSchema = {
    ...field,
    options: {
      relationship,
      foreignTableId: foreign.id,
      lookupFieldId: title.id,
      isOneWay,
      ...keys,
      ...(symmetricId === undefined ? {} : { symmetricFieldId: symmetricId }),
      ...limitsOf(field.options),
    },
  };
  if (symmetricId === undefined) return { field: drafted, symmetric: null, foreign };
  const siblings =
    foreign.id === table.id ? [...foreign.fields.filter(({ id }) => id !== drafted.id), drafted] : foreign.fields;
  if (known === undefined && siblings.length >= maxFields)
    throw invalid({
      path: at,
      message: `"${foreign.name}" would get a field for the other side, and has as many as it can have: ${maxFields}`,
      expected: 'a one-way link',
    });
  return { field: drafted, symmetric: draftOtherSide(table, drafted, siblings, known), foreign };
};

/** The name that it gets when none was sent. */
export const withLinkName = <T extends Pick<NewField, 'name'>>(given: T, foreign: TableSchema): T =>
  given.name === undefined ? { ...given, name: foreign.name } : given;

/** After both fields are there. */
export const makeKeys = async (tx: Tx, table: TableSchema, fieldId: string): Promise<void> => {
  const present = await loadTable(tx, table.baseId, table.id);
  const linked = linkedBy(present.byId.get(fieldId) as FieldSchema);
  if (linked !== undefined) await createKeys(tx, linked);
};

/** The other sides of links among these fields, by table: they go with them. */
export const otherSides = (table: TableSchema, fields: readonly FieldSchema[]): Map<string, string[]> => {
  const sides = new Map<string, string[]>();
  for (const field of fields.filter(isLink)) {
    const linked = linkedBy(field, table.related.get(table.id));
    if (linked?.symmetric === undefined) continue;
    sides.set(linked.foreign.id, [...(sides.get(linked.foreign.id) ?? []), linked.symmetric.id]);
  }
  return sides;
};

/** After links that were out of sight are settled: what they led to may be gone. A job that fills their cells sees to their keys, too. */
export const cleanKeys = async (tx: Tx, links: readonly Linked[]): Promise<void> => {
  for (const linked of links) if (!mayDangle(linked)) await dropDangling(tx, linked);
};
