// What a role grants on a table, as it is stored, and Teable's form of it. Stored positively: an action that a later version adds is granted to nobody.
import {
  type DeniableAction,
  type FieldAction,
  fieldActions,
  type Grant,
  type GrantAction,
  grantActions,
  type TableGrant,
} from '@rowhouse/contract/authority-matrix.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';

export interface StoredGrant {
  actions: GrantAction[];
  /** Which are read, filled in new records, changed. Null: all, including future ones. */
  fields: string[] | null;
  create: string[] | null;
  update: string[] | null;
  when: FilterGroup | null;
  after?: FilterGroup;
  memo?: string;
  reveals?: string[];
}

/** As it is stored, with when. */
export interface StoredTable extends GrantedTable {
  createdTime: string;
}

/** As it is sent: on or off without a time. */
export type DraftTable = Omit<GrantedTable, 'enabledTime'> & { isOn: boolean };

/** What a role grants on one table. */
interface GrantedTable {
  tableId: string;
  enabledTime: string | null;
  viewIds: string[] | null;
  showsFacts: boolean;
  grants: StoredGrant[];
}

const lists = { 'record|read': 'fields', 'record|create': 'create', 'record|update': 'update' } as const;

type TeableForm = Pick<TableGrant, 'disabledActions' | 'fieldRecordPermission' | 'recordFilter'>;

export const isTeableForm = (table: TeableForm): boolean =>
  table.disabledActions !== undefined ||
  table.fieldRecordPermission !== undefined ||
  (table.recordFilter !== undefined && table.recordFilter !== null);

/** Who may not see fields may not read or change cells. */
const withFields = (denied: ReadonlySet<DeniableAction>): ReadonlySet<DeniableAction> =>
  denied.has('field|read') ? new Set([...denied, 'record|read', 'record|update']) : denied;

export const fromTeable = ({ disabledActions, fieldRecordPermission, recordFilter }: TeableForm): Grant => {
  const denied = withFields(new Set<DeniableAction>(disabledActions));
  const named = (action: FieldAction): string[] | null =>
    fieldRecordPermission
      ?.filter((field) => field.disabledActions?.includes(action) !== true)
      .map(({ fieldId }) => fieldId) ?? null;
  return {
    actions: grantActions.filter((action) => !denied.has(action)),
    fields: named('record|read'),
    create: named('record|create'),
    update: named('record|update'),
    when: recordFilter ?? null,
  };
};

/** Undefined for what Teable's form cannot say. */
export const toTeable = (grants: readonly StoredGrant[]): TeableForm | undefined => {
  const [grant] = grants;
  if (grant === undefined || grants.length > 1) return undefined;
  if (grant.after !== undefined || grant.memo !== undefined || grant.reveals !== undefined) return undefined;
  const named = fieldActions.map((action) => grant[lists[action]]);
  const open = named.filter((list) => list === null).length;
  if (open !== 0 && open !== named.length) return undefined;
  const disabledActions = grantActions.filter((action) => !grant.actions.includes(action));
  const fieldIds = [...new Set(named.flatMap((list) => list ?? []))];
  return {
    ...(disabledActions.length === 0 ? {} : { disabledActions }),
    ...(open > 0
      ? {}
      : {
          fieldRecordPermission: fieldIds.map((fieldId) => {
            const denied = fieldActions.filter((action) => grant[lists[action]]?.includes(fieldId) !== true);
            return { fieldId, ...(denied.length === 0 ? {} : { disabledActions: denied }) };
          }),
        }),
    ...(grant.when === null ? {} : { recordFilter: grant.when }),
  };
};

/** The lists that a grant leaves out follow its `fields`. */
export const completed = ({ actions, fields = null, create = fields, update = fields }: Grant) => ({
  actions: grantActions.filter((action) => actions.includes(action)),
  fields,
  create,
  update,
});

/** As the API shows it. */
export const grantVo = ({ when, ...grant }: StoredGrant): Grant =>
  ({ ...grant, ...(when === null ? {} : { when }) }) as unknown as Grant;
