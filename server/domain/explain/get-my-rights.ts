// GET /table/:tableId/my-rights
import type { Extent, MyRights } from '@rowhouse/contract/rights-explained.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { can, isBound } from '../../catalog/access.ts';
import type { WriteGrant } from '../../catalog/rights.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { fieldTypeOf } from '../cell/types.ts';

/** What a role allows without rules. */
const allOfIt: readonly WriteGrant[] = [{ fields: null, when: true, after: true }];

const extentOf = (grants: readonly WriteGrant[]): Extent => {
  if (grants.length === 0) return 'none';
  return grants.some(({ when, after }) => when === true && after === true) ? 'all' : 'some';
};

const memosOf = (grants: readonly WriteGrant[]): string[] => [...new Set(grants.flatMap(({ memo }) => memo ?? []))];

const told = (grants: readonly WriteGrant[]) => ({ extent: extentOf(grants), memos: memosOf(grants) });

const naming = (grants: readonly WriteGrant[], { id }: FieldSchema): WriteGrant[] =>
  grants.filter(({ fields }) => fields === null || fields.has(id));

const isWritten = (field: FieldSchema): boolean => !fieldTypeOf(field).isComputed && field.isLookup !== true;

const readOf = ({ rows, rule, byId }: Sight, { id }: FieldSchema): Extent => {
  if (!byId.has(id) || rows === false) return 'none';
  return rows === true && rule.cells?.has(id) !== true ? 'all' : 'some';
};

export const getMyRights = async (context: Context): Promise<MyRights> => {
  const { access } = context;
  const table = await presentTable(context, access.baseId as string, access.tableId as string);
  const sight = sightOf(context, table);
  const reads = can(access, 'record|read');
  const grantsTo = (action: 'create' | 'update' | 'delete' | 'comment'): readonly WriteGrant[] =>
    can(access, `record|${action}`) ? (sight.rule.may?.[action] ?? allOfIt) : [];
  const [create, update] = [grantsTo('create'), grantsTo('update')];
  // Copying a record is making one of what is seen of another.
  const copy = can(access, 'record|create') ? (sight.rule.may?.copy ?? allOfIt) : [];
  const fields = table.fields.flatMap((field) => {
    const read = reads ? readOf(sight, field) : 'none';
    const fills = isWritten(field) && naming(create, field).length > 0;
    if (!sight.byId.has(field.id) && !(isBound(access) && fills)) return [];
    const changes = read === 'none' || !isWritten(field) ? 'none' : extentOf(naming(update, field));
    return [[field.id, { read, update: changes, create: fills }] as const];
  });
  const rows = sight.rows === false || !reads ? 'none' : sight.rows === true ? 'all' : 'some';
  return {
    isBound: isBound(access),
    actions: actions.filter(
      (action) => /^(table|view|record|field|table_record_history)\|/.test(action) && can(access, action),
    ),
    records: {
      read: rows,
      create: { allowed: create.length > 0, memos: memosOf(create) },
      update: told(update),
      delete: told(grantsTo('delete')),
      comment: told(grantsTo('comment')),
      copy: told(copy),
    },
    fields: Object.fromEntries(fields),
    recordFacts: sight.rule.hidesFacts !== true,
  };
};
