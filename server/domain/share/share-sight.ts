// What a share shows of its table: the fields that its view shows, the records that its filter lets through.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import { allOf, type RecordCondition } from '../../catalog/condition.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { fieldsNamedBy, withoutOptions, shapeOf } from '@rowhouse/contract/view-types.ts';
import type { TableRights } from '../../catalog/rights.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema, TableSchema, ViewSchema } from '../../catalog/table.ts';
import { filterFieldIds } from '../cell/filter.sql.ts';
import { areRecordsHeld } from '../field/decision.ts';
import { publicColorRules } from '../field/color-rules.ts';
import { fieldVo } from '../field/field-vo.ts';
import { shownFields } from '../../catalog/shown-fields.ts';
import { viewVo } from '../view/view-vo.ts';
import type { ShareRow } from './share.sql.ts';

/** A filter without conditions is none: clients set it when they take its last condition away. */
const recordsOf = (view: ViewSchema): RecordCondition => {
  const filter = view.filter as FilterGroup | null;
  return filter === null || filterFieldIds(filter).length === 0 ? true : { filter };
};

/** A share whose records are held back shows none: what limits them may let through more than somebody decided. */
export const shareSight = (view: ViewSchema, { meta }: Pick<ShareRow, 'meta'>, table: TableSchema): TableRights => ({
  // Named one by one, even when they are all: nothing of another table is among them.
  fieldIds:
    meta?.includeHiddenField === true && shapeOf(view.type).share === 'records'
      ? new Set(table.byId.keys())
      : shownFields(view, table),
  rows: allOf([
    meta?.includeRecords === true,
    !areRecordsHeld(view, table, meta?.includeHiddenField === true),
    recordsOf(view),
  ]),
  version: table.version,
  viewId: view.id,
  isPublic: true,
});

/** Of conditions of a form that name fields which it does not show nothing holds anyway. */
const shownConditions = (group: FilterGroup, byId: Sight['byId']): FilterGroup => ({
  ...group,
  filterSet: group.filterSet.flatMap((item): (Condition | FilterGroup)[] =>
    'filterSet' in item ? [shownConditions(item, byId)] : byId.has(item.fieldId) ? [item] : [],
  ),
});

const publicColumn = (column: Record<string, unknown>, byId: Sight['byId']): Record<string, unknown> =>
  column.condition == null ? column : { ...column, condition: shownConditions(column.condition as FilterGroup, byId) };

/** The view as visitors see it. A filter that names a hidden field would tell what it hides. */
export const publicView = (view: ViewSchema, { byId, ...eyes }: Sight): View => {
  const isShown = ({ fieldId }: { fieldId: string }): boolean => byId.has(fieldId);
  const filter = view.filter as FilterGroup | null;
  const hidden = new Set(
    fieldsNamedBy(view).flatMap(({ path, fieldId }) => (byId.has(fieldId) ? [] : [path.split('.')[0]])),
  );
  return viewVo(
    {
      ...view,
      filter: filter === null || filterFieldIds(filter).some((id) => !byId.has(id)) ? null : filter,
      sort: view.sort === null ? null : { ...view.sort, sortObjs: view.sort.sortObjs.filter(isShown) },
      group: view.group?.filter(isShown) ?? null,
      options: publicColorRules(withoutOptions(view, hidden), (fieldId) => byId.has(fieldId)),
      columnMeta: Object.fromEntries(
        Object.entries(view.columnMeta).flatMap(([id, column]) =>
          byId.has(id) ? [[id, publicColumn(column, byId)]] : [],
        ),
      ) as Record<string, { order: number }>,
      ownerId: null,
      createdBy: '',
      createdTime: '',
      lastModifiedBy: null,
      lastModifiedTime: null,
      share: null,
    },
    eyes,
  );
};

/** What visitors need to know of it. */
export const publicMeta = ({ allowCopy, includeHiddenField, includeRecords, submit }: ShareMeta): ShareMeta => ({
  ...(allowCopy === undefined ? {} : { allowCopy }),
  ...(includeHiddenField === undefined ? {} : { includeHiddenField }),
  ...(includeRecords === undefined ? {} : { includeRecords }),
  ...(submit === undefined ? {} : { submit: { ...submit, confirmFieldId: null } }),
});

/** In options these say how cells look. Others name tables, fields and conditions that the share does not show. */
const lookOptions = [
  'formatting',
  'showAs',
  'choices',
  'icon',
  'color',
  'max',
  'defaultValue',
  'isMultiple',
  'relationship',
  'timeZone',
  'preventAutoNewOptions',
];
/** Teable's clients expect these to be texts. */
const emptied: Record<string, readonly string[]> = {
  formula: ['expression'],
  rollup: ['expression'],
  conditionalRollup: ['expression'],
  link: ['foreignTableId', 'lookupFieldId', 'fkHostTableName', 'selfKeyName', 'foreignKeyName'],
};

/** A field as visitors see it: how its cells look, and not what they are computed from. */
export const publicField = (schema: FieldSchema): Field => {
  const { lookupOptions: _lookup, ...field } = fieldVo(schema);
  const look = Object.entries(field.options).filter(([key]) => lookOptions.includes(key));
  return {
    ...field,
    options: {
      ...Object.fromEntries((emptied[schema.type] ?? []).map((key) => [key, ''])),
      ...Object.fromEntries(look),
    },
  };
};
