// Who signs in through a provider of an organisation is a member of it from then on.
import { personAt } from '../../catalog/audit.sql.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { PublicContext } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { joinOrganization } from '../organization/join-organization.ts';

export const enterOrganization = async (
  context: PublicContext,
  tx: Tx,
  { organizationId }: SignInProvider,
  userId: string,
): Promise<void> => {
  if (organizationId === null) return;
  await joinOrganization(tx, context, { organizationId, userId, doer: personAt(userId, context.from) });
};
