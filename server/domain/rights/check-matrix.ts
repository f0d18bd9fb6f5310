// What in the rights of a base is probably not meant, from definitions alone: before they are switched on, and while they are.
import {
  type checkAuthorityMatrix as endpoint,
  type RightsFinding,
  rightsFindings,
} from '@rowhouse/contract/authority-matrix.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { readerValueOf, readerValuesIn } from '@rowhouse/contract/reader-value.ts';
import { rightsOf } from '../../catalog/bound.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { filterFieldIds } from '../cell/filter.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { isFilterUnderstood } from '../query/filter.sql.ts';
import { selectParts, selectRoles, type StoredRole } from './matrix.sql.ts';
import { countWithoutRole } from './members.sql.ts';
import { findMatrix } from './read-matrix.ts';
import { isReaderValueUnderstood } from './read-reader-value.ts';
import type { StoredGrant } from './stored.ts';

type Finding = ResponseOf<typeof endpoint>['findings'][number];

const finding = (kind: RightsFinding, about: Omit<Finding, 'kind' | 'message'>): Finding => ({
  kind,
  message: rightsFindings[kind],
  ...about,
});

type Beside = ReadonlyMap<string, TableSchema>;

const names = (list: readonly string[] | null, id: string): boolean => list === null || list.includes(id);

/** Fields on which depends what a grant is for, and which the same role may change without being asked what comes of it. */
const ownConditions = (grants: readonly StoredGrant[]): string[] => {
  const conditions = grants.flatMap(({ when }) => filterFieldIds(when));
  return [...new Set(conditions)].filter((id) =>
    grants.some(
      ({ actions, update, after }) =>
        actions.includes('record|update') && names(update, id) && !filterFieldIds(after ?? null).includes(id),
    ),
  );
};

/** Computed fields that reach for more than what is revealed with them. */
const tooLittle = (role: StoredRole, table: TableSchema, grants: readonly StoredGrant[]): string[] => {
  const revealing = grants.filter(({ reveals = [] }) => reveals.length > 0);
  if (revealing.length === 0) return [];
  const tables = role.tables.filter(({ enabledTime }) => enabledTime !== null);
  const seen = rightsOf(tables, `check ${role.id}`).on?.(table)?.fieldIds ?? null;
  const named = new Set(revealing.flatMap(({ fields }) => fields ?? []));
  return table.fields
    .filter((field) => named.has(field.id) && (field.isLookup === true || fieldTypeOf(field).isComputed))
    .filter(({ id, type }) => type !== 'link' && seen !== null && !seen.has(id))
    .map(({ id }) => id);
};

/** Values of the reader are of other tables: the rest of a condition is about its own. */
const isUnderstood = (filter: FilterGroup, table: TableSchema, beside: Beside): boolean => {
  if (readerValuesIn(filter).length === 0) return isFilterUnderstood(filter, table);
  return filter.filterSet.every((item) =>
    'filterSet' in item
      ? isUnderstood(item, table, beside)
      : readerValueOf(item.value) === undefined
        ? isFilterUnderstood({ conjunction: 'and', filterSet: [item] }, table)
        : isReaderValueUnderstood(item, table, beside),
  );
};

/** What of the reader decides about them, and they may change themselves. */
const ownValues = (role: StoredRole, tables: ReadonlyMap<string, TableSchema>): Finding[] => {
  const granted = role.tables.filter(({ enabledTime }) => enabledTime !== null);
  const values = readerValuesIn(granted.map(({ grants }) => grants.map(({ when, after }) => [when, after ?? null])));
  const found = values.flatMap((value) => {
    if (value.type !== 'mine') return [];
    const grants = granted.find(({ tableId }) => tableId === value.tableId)?.grants ?? [];
    const writes = (fieldId: string): boolean =>
      grants.some(
        ({ actions, create, update }) =>
          (actions.includes('record|update') && names(update, fieldId)) ||
          (actions.includes('record|create') && names(create, value.keyFieldId) && names(create, fieldId)),
      );
    const table = tables.get(value.tableId);
    return [value.keyFieldId, value.fieldId ?? value.keyFieldId]
      .filter((id) => table?.byId.has(id) === true && writes(id))
      .map((fieldId) =>
        finding('writesOwnCondition', {
          roleId: role.id,
          roleName: role.name,
          tableId: value.tableId,
          tableName: table?.name as string,
          fieldId,
          fieldName: table?.byId.get(fieldId)?.name as string,
        }),
      );
  });
  return [...new Map(found.map((one) => [one.fieldId, one])).values()];
};

const inTable = (role: StoredRole, table: TableSchema, grants: readonly StoredGrant[], beside: Beside): Finding[] => {
  const about = { roleId: role.id, roleName: role.name, tableId: table.id, tableName: table.name };
  const ofField = (fieldId: string) => ({ ...about, fieldId, fieldName: table.byId.get(fieldId)?.name ?? fieldId });
  const filters = grants.flatMap(({ when, after }): FilterGroup[] =>
    [when, after ?? null].filter((one) => one !== null),
  );
  const creating = grants.filter(({ actions }) => actions.includes('record|create'));
  const reads = grants.some(({ actions }) => actions.includes('record|read'));
  const missing = table.fields.filter(
    (field) =>
      field.notNull &&
      !fieldTypeOf(field).isComputed &&
      creating.length > 0 &&
      !creating.some(({ create }) => names(create, field.id)),
  );
  return [
    ...tooLittle(role, table, grants).map((id) => finding('revealsTooLittle', ofField(id))),
    ...(filters.every((filter) => isUnderstood(filter, table, beside))
      ? []
      : [finding('conditionWithoutMeaning', about)]),
    ...missing.map(({ id }) => finding('requiredFieldMissing', ofField(id))),
    ...ownConditions(grants)
      .filter((id) => table.byId.has(id))
      .map((id) => finding('writesOwnCondition', ofField(id))),
    ...(!reads && grants.some(({ actions }) => actions.includes('record|update'))
      ? [finding('changesUnseen', about)]
      : []),
  ];
};

export const checkAuthorityMatrix = async (context: Context, baseId: string): Promise<ResponseOf<typeof endpoint>> => {
  const matrix = await findMatrix(context, baseId);
  if (matrix === undefined) return { findings: [] };
  const { db } = context;
  const roles = await selectRoles(db, baseId);
  const parts = await selectParts(db, baseId);
  const inForce = roles.filter(({ enabledTime }) => enabledTime !== null);
  const tablesOf = (role: StoredRole) => role.tables.filter(({ enabledTime }) => enabledTime !== null);
  const seen = new Set(
    inForce.flatMap((role) =>
      tablesOf(role)
        .filter(({ grants }) => grants.some(({ actions }) => actions.includes('record|read')))
        .map(({ tableId }) => tableId),
    ),
  );
  const findings = parts
    .filter(({ id }) => !seen.has(id))
    .map(({ id, name }) => finding('tableUnseen', { tableId: id, tableName: name }));
  for (const { id, name, users, departments } of inForce)
    if (users.length + departments.length === 0 && matrix.defaultRoleId !== id)
      findings.push(finding('roleWithoutMembers', { roleId: id, roleName: name }));
  const hasDefault = inForce.some(({ id }) => id === matrix.defaultRoleId);
  const count = hasDefault ? 0 : await countWithoutRole(db, baseId);
  if (count > 0) findings.push(finding('memberWithoutRole', { count }));
  const asked = readerValuesIn(inForce.map((role) => tablesOf(role).map(({ grants }) => grants)));
  const beside = new Map<string, TableSchema>();
  for (const { id } of parts)
    if (asked.some((value) => value.type === 'mine' && value.tableId === id))
      beside.set(id, await loadTable(db, baseId, id));
  for (const { id } of parts) {
    const naming = inForce.flatMap((role) =>
      tablesOf(role)
        .filter(({ tableId }) => tableId === id)
        .map(({ grants }) => ({ role, grants })),
    );
    if (naming.length === 0) continue;
    const table = await loadTable(db, baseId, id);
    for (const { role, grants } of naming) findings.push(...inTable(role, table, grants, beside));
  }
  for (const role of inForce) findings.push(...ownValues(role, beside));
  return { findings };
};
