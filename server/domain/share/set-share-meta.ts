import { type Issue, invalid } from '@rowhouse/contract/error.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import { hiddenPassword, type ShareMeta } from '@rowhouse/contract/share-meta.ts';
import { demandScope } from '../../catalog/access.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { decide } from '../field/decide.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import type { ViewPath } from '../view/change-view.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { hashPassword } from '../user/password.ts';
import { changeShare } from './change-share.ts';
import { updateShareMeta } from './share.sql.ts';

const momentOf = (given: string | null | undefined, path: string, issues: Issue[]): string | null => {
  if (given === null || given === undefined) return null;
  const time = Date.parse(given);
  if (Number.isNaN(time))
    issues.push({
      path,
      message: `${JSON.stringify(given)} is not a moment`,
      expected: 'ISO 8601, such as 2026-12-31T23:00:00Z',
    });
  return Number.isNaN(time) ? null : new Date(time).toISOString();
};

const isText = (field: FieldSchema | undefined): boolean =>
  field !== undefined && kindOf(filterFieldOf(field)) === 'text' && !fieldTypeOf(field).isComputed;

const readSubmit = (
  given: NonNullable<ShareMeta['submit']>,
  { byId }: TableSchema,
  issues: Issue[],
): ShareMeta['submit'] => {
  const { confirmFieldId } = given;
  if (typeof confirmFieldId === 'string' && !isText(byId.get(confirmFieldId)))
    issues.push({
      path: 'submit.confirmFieldId',
      message: `The table has no text field ${JSON.stringify(confirmFieldId)}`,
      expected: 'the id of a text field that can be filled in',
    });
  const closesTime = momentOf(given.closesTime, 'submit.closesTime', issues);
  const { closesTime: _closes, ...rest } = given;
  return { ...rest, ...(closesTime === null ? {} : { closesTime }) };
};

/** Only what was understood is kept, and the password not at all. */
const readMeta = (
  { password: _password, submit, expiresTime: given, ...rest }: ShareMeta,
  table: TableSchema,
): ShareMeta => {
  const issues: Issue[] = [];
  const expiresTime = momentOf(given, 'expiresTime', issues);
  const meta = {
    ...rest,
    ...(submit === undefined ? {} : { submit: readSubmit(submit, table, issues) as NonNullable<ShareMeta['submit']> }),
    ...(expiresTime === null ? {} : { expiresTime }),
  };
  if (issues.length > 0) throw invalid(issues);
  return meta;
};

export const setShareMeta = async (context: Context, path: ViewPath, given: ShareMeta): Promise<void> => {
  demandScope(context.principal, 'record|read', path.tableId);
  const { password } = given;
  const isNew = password !== undefined && password !== hiddenPassword;
  if (isNew) demandFeature(context, 'passwordRestrictedSharesEnable');
  // Before the transaction: it takes some 30 ms.
  const hash = isNew ? await hashPassword(password) : null;
  await changeShare(context, path, 'view.shareChanged', async (tx, view, share, table) => {
    const passwordHash = password === hiddenPassword ? (share?.passwordHash ?? null) : hash;
    const meta = readMeta(given, table);
    await updateShareMeta(tx, {
      viewId: view.id,
      shareId: share?.shareId ?? context.newId('shr'),
      meta,
      passwordHash,
      userId: context.principal.userId,
    });
    await decide(tx, view, table, meta.includeHiddenField === true);
  });
};
