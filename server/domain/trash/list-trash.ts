import { forbidden } from '@rowhouse/contract/error.ts';
import { matrix } from '@rowhouse/contract/permission.ts';
import { hasScope } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { readCursor } from './cursor.ts';
import { type Contents, showTrash } from './show-trash.ts';
import { selectTrashedBases, selectTrashedSpaces } from './trash.sql.ts';

// Teable's clients do not ask for a second page here.
const take = 1_000;

/** Anyone who may delete a thing may see it in the trash. */
export const listTrash = async (
  { db, principal }: Context,
  query: { resourceType: 'space' | 'base'; cursor?: string },
): Promise<Contents> => {
  const { resourceType } = query;
  const action = `${resourceType}|delete` as const;
  if (!hasScope(principal, action)) throw forbidden(`This token lacks the scope ${action}`);
  const limits = { after: readCursor(query.cursor), take: take + 1 };
  const { reach } = principal;
  const spaceIds = reach === null ? null : [...reach.spaceIds];
  const user = { id: principal.userId, roles: matrix[action] };
  const rows =
    resourceType === 'space'
      ? await selectTrashedSpaces(db, { ...user, among: spaceIds }, limits)
      : await selectTrashedBases(
          db,
          { ...user, reach: reach === null ? null : { spaceIds: spaceIds ?? [], baseIds: [...reach.baseIds] } },
          limits,
        );
  return showTrash(db, principal, () => resourceType, rows, take);
};
