// An account made by an administrator: with a space of its own, and a link to choose a password with.
import type { createAdminUser as endpoint } from '@rowhouse/contract/admin-user.ts';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { shownEmail } from '../../catalog/principal.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { createAccount } from '../auth/create-account.ts';
import { makePasswordLink } from '../auth/password-link.ts';

export const createPerson = async (
  context: Context,
  { email, name, isAdmin = false }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const { user, also } = await createAccount(
    context.db,
    { email, password: null, name: name?.trim() || undefined, isAdmin, isVouchedFor: true, from: context.from },
    async (tx, made) => {
      await writeAudit(
        tx,
        doerOf(context),
        'user.created',
        {},
        { userId: made.id, emails: [made.email], ...(isAdmin ? { isAdmin } : {}) },
      );
      return makePasswordLink(context, tx, made);
    },
  );
  return {
    id: user.id,
    name: user.name,
    email: shownEmail(context.principal, user.email),
    ...(also as NonNullable<typeof also>),
  };
};
