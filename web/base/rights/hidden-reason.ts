// Why a computed field stays hidden from a role that is granted it: said while it is granted. It looks one step behind the field; the server looks behind all of them.
import type { Field } from '@rowhouse/contract/field.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { fieldsQuery, tablesQuery } from '../../record-data/queries.ts';
import type { AuthorityRole, Grant } from './queries.ts';

type Extent = 'all' | 'some' | 'none';

const reading = (grants: readonly Grant[]): Grant[] => grants.filter(({ actions }) => actions.includes('record|read'));

const isForAll = ({ when }: Grant): boolean => when == null || when.filterSet.length === 0;

const extentOf = (grants: readonly Grant[]): Extent =>
  grants.length === 0 ? 'none' : grants.some(isForAll) ? 'all' : 'some';

/** Records of a table, or the cells of a field. */
const readBy = (grants: readonly Grant[], fieldId?: string): Extent =>
  extentOf(reading(grants).filter(({ fields = null }) => fieldId === undefined || (fields?.includes(fieldId) ?? true)));

interface Source {
  foreignTableId?: string;
  lookupFieldId?: string;
  linkFieldId?: string;
}

const sourceOf = ({ lookupOptions, options }: Field): Source => ({ ...(options as Source), ...lookupOptions });

/** Ids of the fields that a formula names. */
const namedIn = ({ options }: Field): string[] =>
  [...String((options as { expression?: unknown }).expression ?? '').matchAll(/\{(fld[0-9A-Za-z]+)\}/g)].map(
    ([, id]) => id as string,
  );

interface Known {
  grantsOn: (tableId: string) => readonly Grant[];
  tableName: (tableId: string) => string;
  fieldName: (tableId: string, fieldId: string) => string;
  fields: readonly Field[];
  tableId: string;
}

const throughLink = ({ foreignTableId, lookupFieldId, linkFieldId }: Source, known: Known) => {
  if (foreignTableId === undefined) return undefined;
  const grants = known.grantsOn(foreignTableId);
  const name = known.tableName(foreignTableId);
  if (readBy(grants) === 'none') return `Hidden: this role does not see the table ${name}`;
  if (linkFieldId !== undefined && readBy(known.grantsOn(known.tableId), linkFieldId) === 'none')
    return `Hidden: this role does not see ${known.fieldName(known.tableId, linkFieldId)}, the link it comes through`;
  if (lookupFieldId !== undefined && readBy(grants, lookupFieldId) === 'none')
    return `Hidden: this role does not see ${known.fieldName(foreignTableId, lookupFieldId)} in ${name}`;
  const isWhole = readBy(grants, lookupFieldId) === 'all';
  if (isWhole) return undefined;
  const link = known.fields.find(({ id }) => id === linkFieldId);
  const leadsToOne = link !== undefined && link.isMultipleCellValue !== true;
  return leadsToOne
    ? `Shown where the linked record of ${name} is one that this role sees`
    : `Hidden: it shows several records of ${name}, and this role sees only some of them`;
};

export const hiddenReason = (field: Field, known: Known): string | undefined => {
  const source = sourceOf(field);
  if (field.isLookup === true || source.lookupFieldId !== undefined) return throughLink(source, known);
  const unseen = namedIn(field).filter((id) => readBy(known.grantsOn(known.tableId), id) === 'none');
  return unseen.length === 0
    ? undefined
    : `Hidden: computed from ${unseen.map((id) => known.fieldName(known.tableId, id)).join(', ')}, which this role does not see`;
};

interface Drafting {
  baseId: string;
  role: AuthorityRole;
  tableId: string;
  fields: readonly Field[] | undefined;
  /** As they are being chosen. */
  grants: readonly Grant[] | null;
}

export const useHiddenReasons = ({ baseId, role, tableId, fields = [], grants }: Drafting) => {
  const tables = useQuery(tablesQuery(baseId)).data ?? [];
  const beyond = [...new Set(fields.flatMap((field) => sourceOf(field).foreignTableId ?? []))];
  const others = useQueries({ queries: beyond.map((id) => ({ ...fieldsQuery(id), retry: false })) });
  const fieldsOf = new Map(beyond.map((id, at) => [id, others[at]?.data ?? []]));
  const known: Known = {
    fields,
    tableId,
    grantsOn: (id) =>
      id === tableId
        ? (grants ?? [])
        : (role.tables.find((table) => table.tableId === id && table.enabledTime !== undefined)?.grants ?? []),
    tableName: (id) => tables.find((table) => table.id === id)?.name ?? 'another table',
    fieldName: (id, fieldId) =>
      (id === tableId ? fields : (fieldsOf.get(id) ?? [])).find((field) => field.id === fieldId)?.name ?? 'a field',
  };
  return (field: Field): string | undefined => hiddenReason(field, known);
};
