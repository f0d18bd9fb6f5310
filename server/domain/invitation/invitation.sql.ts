// The one writer of rowhouse.invitations.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface PendingInvitation {
  id: string;
  resourceType: 'space' | 'base';
  resourceId: string;
  role: string;
  createdBy: string;
}

/** Marks every invitation that still waits for this address as accepted, and answers them. */
export const takePendingInvitations = (db: Queryable, email: string): Promise<PendingInvitation[]> =>
  many<PendingInvitation>(
    db,
    sql`update rowhouse.invitations set accepted_time = now()
        where lower(email) = lower(${email}) and kind = 'email' and accepted_time is null
          and (expired_time is null or expired_time > now())
        returning id, resource_type as "resourceType", resource_id as "resourceId", role, created_by as "createdBy"`,
  );

export const insertInvited = async (db: Queryable, userId: string, invitation: PendingInvitation): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.collaborators (resource_type, resource_id, user_id, role, created_by)
        values (${invitation.resourceType}, ${invitation.resourceId}, ${userId}, ${invitation.role}, ${invitation.createdBy})
        on conflict do nothing`,
  );
};
