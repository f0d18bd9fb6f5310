import { type Action, actions } from '@rowhouse/contract/permission.ts';
import { can } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { demandPlace, type TablePlace } from './find-table.ts';

type Permissions = Record<string, boolean>;

export const getTablePermission = async (
  context: Context,
  place: TablePlace,
): Promise<{ table: Permissions; view: Permissions; record: Permissions; field: Permissions }> => {
  demandPlace(context, place);
  const of = (noun: string): Permissions =>
    Object.fromEntries(actions.filter((action: Action) => action.startsWith(`${noun}|`)).map((action) => [action, can(context.access, action)]));
  return { table: of('table'), view: of('view'), record: of('record'), field: of('field') };
};
