// Lookups, rollups and counts in the request that makes their table: what they are follows from the links of the same request.
import { ApiError, type Issue, invalid } from '@rowhouse/contract/error.ts';
import type { NewField } from '@rowhouse/contract/field.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { singleLineText } from '../cell/type/text.ts';
import { freeDbName } from '../field/db-name.ts';
import { draftField } from '../field/draft-field.ts';
import { demandForeign, type LinkDraft } from '../field/link-field.ts';
import { asksByFilter, asksToLookUp, draftLookup, lookupName, resolveLookup } from '../field/lookup-field.ts';

export interface Links {
  /** All fields of the table, its links complete. */
  fields: readonly FieldSchema[];
  drafts: readonly LinkDraft[];
}

/** Has the names and the place of one; what it is can be told once the links are known. */
export const lookupPlaceholder = (
  context: Context,
  given: NewField,
  siblings: readonly FieldSchema[],
  at: string,
): FieldSchema => {
  const { id, name, description, dbFieldName } = given;
  return draftField(
    context.newId,
    {
      type: singleLineText.type,
      name: name ?? 'Lookup',
      ...(id === undefined ? {} : { id }),
      ...(description === undefined ? {} : { description }),
      ...(dbFieldName === undefined ? {} : { dbFieldName }),
    },
    siblings,
    at,
  );
};

/** Places in what is refused are those of the whole request. */
const within = <T>(at: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    const issues = error instanceof ApiError ? (error.data as { issues?: Issue[] } | undefined)?.issues : undefined;
    throw issues === undefined ? error : invalid(issues.map((issue) => ({ ...issue, path: `${at}.${issue.path}` })));
  }
};

/** The tables that fields without a link read. */
const foundIn = async (tx: Tx, baseId: string, given: readonly NewField[]): Promise<RelatedTable[]> => {
  const tables: RelatedTable[] = [];
  for (const [index, one] of given.entries())
    if (asksByFilter(one))
      tables.push(
        await demandForeign(tx, baseId, { foreignTableId: '', ...one.lookupOptions }, `fields[${index}].lookupOptions`),
      );
  return tables;
};

/** The fields of a new table with what is looked up through the links among them, or by a filter. */
export const withLookups = async (
  tx: Tx,
  context: Context,
  baseId: string,
  given: readonly NewField[],
  { fields, drafts }: Links,
): Promise<FieldSchema[]> => {
  const known = fields.filter((_, index) => !asksToLookUp(given[index] as NewField));
  const foreign = [...drafts.map((draft) => draft.foreign), ...(await foundIn(tx, baseId, given))];
  const related = new Map<string, RelatedTable>(foreign.flatMap((one) => [...one.related]));
  const own: RelatedTable = {
    id: '',
    baseId,
    name: '',
    dbTableName: '',
    fields: known,
    byId: new Map(known.map((field) => [field.id, field])),
    primary: fields[0] as FieldSchema,
    related,
  };
  const complete = [...fields];
  given.forEach((one, index) => {
    if (!asksToLookUp(one)) return;
    const others = complete.filter((_, at) => at !== index);
    const placed = complete[index] as FieldSchema;
    complete[index] = within(`fields[${index}]`, () => {
      const name =
        one.name === undefined
          ? uniqueName(
              lookupName(own, one),
              others.map((field) => field.name),
            )
          : placed.name;
      const dbFieldName =
        one.name === undefined && one.dbFieldName === undefined
          ? freeDbName(name, new Set(others.map((field) => field.dbFieldName)))
          : placed.dbFieldName;
      const { type, options } = draftLookup(context.newId, { ...one, name }, []);
      return resolveLookup({ ...placed, name, dbFieldName, type, options }, own, one);
    });
  });
  return complete;
};
