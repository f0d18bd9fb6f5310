// What in the rights of a base is probably not meant, from definitions alone: before they are switched on, and while they are.
import {
  type checkAuthorityMatrix as endpoint,
  type RightsFinding,
  rightsFindings,
} from '@rowhouse/contract/authority-matrix.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { rightsOf } from '../../catalog/bound.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { filterFieldIds } from '../cell/filter.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { isFilterUnderstood } from '../query/filter.sql.ts';
import { selectParts, selectRoles, type StoredRole } from './matrix.sql.ts';
import { countWithoutRole } from './members.sql.ts';
import { findMatrix } from './read-matrix.ts';
import type { StoredGrant } from './stored.ts';

type Finding = ResponseOf<typeof endpoint>['findings'][number];

const finding = (kind: RightsFinding, about: Omit<Finding, 'kind' | 'message'>): Finding => ({
  kind,
  message: rightsFindings[kind],
  ...about,
});

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

const inTable = (role: StoredRole, table: TableSchema, grants: readonly StoredGrant[]): Finding[] => {
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
    ...(filters.every((filter) => isFilterUnderstood(filter, table))
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
  for (const { id } of parts) {
    const naming = inForce.flatMap((role) =>
      tablesOf(role)
        .filter(({ tableId }) => tableId === id)
        .map(({ grants }) => ({ role, grants })),
    );
    if (naming.length === 0) continue;
    const table = await loadTable(db, baseId, id);
    for (const { role, grants } of naming) findings.push(...inTable(role, table, grants));
  }
  return { findings };
};
