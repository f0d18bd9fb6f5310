// An account as people get one: the user, a space of their own, and what the address was invited to, with the secret of the
// invitation: that somebody signs up with an address does not prove that it is theirs.
import { forbidden } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { type From, operator, personAt, writeAudit } from '../../catalog/audit.sql.ts';
import type { Handle, Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { acceptOwnInvitation, acceptPendingInvitations } from '../invitation/accept-pending-invitations.ts';
import { insertAutoJoined } from '../collaborator/collaborator.sql.ts';
import { createSpaceFor } from '../space/create-space.ts';
import { createUser } from '../user/create-user.ts';
import { demandPassword } from '../user/demand-password.ts';
import { hashPassword } from '../user/password.ts';
import type { UserMe } from '../user/user.sql.ts';

interface AccountInput {
  email: string;
  /** Null: they sign in in another way. */
  password: string | null;
  name?: string | undefined;
  spaceName?: string | undefined;
  isAdmin?: boolean | undefined;
  /** Where the request came from, for the audit log. */
  from?: From | undefined;
  /** Of the link that came with the invitation. */
  invitation?: { id: string; code: string } | undefined;
  /** The address is known to be theirs, by an e-mail or by the word of the operator: all that waits for it takes effect. */
  isVouchedFor?: boolean | undefined;
  /** Refuse anyone who brings no invitation of the address. */
  onlyInvited?: boolean | undefined;
}

/** Spaces that administrators have opened to everybody who is new. */
const joinOpenSpaces = async (tx: Tx, userId: string, from: From = operator): Promise<void> => {
  const spaceIds = await insertAutoJoined(tx, userId);
  if (spaceIds.length === 0) return;
  await writeAudit(
    tx,
    personAt(userId, from),
    'collaborator.added',
    { spaceIds },
    { userIds: [userId], role: 'viewer' },
  );
  await bumpEpochs(tx, spaceIds);
};

/** `also` runs in the same transaction. */
export const createAccount = async <T = undefined>(
  db: Handle,
  input: AccountInput,
  also?: (tx: Tx, user: UserMe) => Promise<T>,
): Promise<{ user: UserMe; spaceId: string; also: T | undefined }> => {
  const { password } = input;
  if (password !== null) demandPassword(password, input.email);
  const passwordHash = password === null ? null : await hashPassword(password);
  return retriedTransaction(db, async (tx) => {
    const user = await createUser(tx, {
      email: input.email,
      name: input.name,
      passwordHash,
      isAdmin: input.isAdmin,
      isVerified: input.isVouchedFor,
    });
    const space = await createSpaceFor(tx, { userId: user.id, name: input.spaceName || `${user.name}'s space`, newId });
    await joinOpenSpaces(tx, user.id, input.from);
    const invited =
      input.isVouchedFor === true
        ? await acceptPendingInvitations(tx, { userId: user.id, email: user.email, from: input.from })
        : await acceptOwnInvitation(tx, user, input.invitation, input.from);
    if (input.onlyInvited === true && invited === 0)
      throw forbidden(
        'Only invited people can create an account here; ask for an invitation to this address, and open the link that comes with it',
      );
    return { user, spaceId: space.id, also: await also?.(tx, user) };
  });
};
