import { type Action, actions } from '@rowhouse/contract/permission.ts';
import { can } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { demandInBase, type TablePath } from './find-table.ts';

type Permissions = Record<string, boolean>;

export const getTablePermission = async (
  context: Context,
  path: TablePath,
): Promise<{ table: Permissions; view: Permissions; record: Permissions; field: Permissions }> => {
  demandInBase(context, path);
  const of = (noun: string): Permissions =>
    Object.fromEntries(
      actions
        .filter((action: Action) => action.startsWith(`${noun}|`))
        .map((action) => [action, can(context.access, action)]),
    );
  return { table: of('table'), view: of('view'), record: of('record'), field: of('field') };
};
