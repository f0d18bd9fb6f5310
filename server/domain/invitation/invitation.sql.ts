// The one writer of rowhouse.invitations.
import type { Role } from '@rowhouse/contract/permission.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { isBacked } from '../collaborator/backing.sql.ts';
import type { Place } from '../collaborator/collaborator.sql.ts';

export interface Link {
  invitationId: string;
  codeHash: Buffer;
  role: Role;
  createdBy: string;
  createdTime: string;
}

const linkColumns = sql`id as "invitationId", code_hash as "codeHash", role, created_by as "createdBy", created_time as "createdTime"`;

interface NewInvitation {
  id: string;
  codeHash: Buffer;
  role: Role;
  createdBy: string;
}

export const insertLink = (db: Queryable, place: Place, link: NewInvitation): Promise<Link> =>
  one<Link>(
    db,
    sql`insert into rowhouse.invitations (id, kind, resource_type, resource_id, role, code_hash, created_by)
        values (${link.id}, 'link', ${place.type}, ${place.id}, ${link.role}, ${link.codeHash}, ${link.createdBy})
        returning ${linkColumns}`,
  );

export const selectLinks = (db: Queryable, place: Place): Promise<Link[]> =>
  many<Link>(
    db,
    sql`select ${linkColumns} from rowhouse.invitations i
        where resource_id = ${place.id} and kind = 'link' and ${isBacked} order by created_time, id`,
  );

export interface InvitationRow {
  id: string;
  kind: 'link' | 'email';
  place: Place;
  role: Role;
  codeHash: Buffer;
  createdBy: string;
  isExpired: boolean;
  /** An invitation of an address works once. */
  isAccepted: boolean;
}

const invitationColumns = sql`id, kind, json_build_object('type', resource_type, 'id', resource_id) as place, role, code_hash as "codeHash",
  created_by as "createdBy", coalesce(expired_time <= now(), false) as "isExpired",
  accepted_time is not null as "isAccepted"`;

export const selectLink = (db: Queryable, invitationId: string): Promise<InvitationRow | undefined> =>
  maybe<InvitationRow>(
    db,
    sql`select ${invitationColumns} from rowhouse.invitations i where id = ${invitationId} and ${isBacked}`,
  );

/** Undefined when what it leads to is in the trash. */
export const selectInvitedTo = (
  db: Queryable,
  invitationId: string,
): Promise<{ invitedBy: string; resourceName: string } | undefined> =>
  maybe(
    db,
    sql`select u.name as "invitedBy", coalesce(b.name, s.name) as "resourceName"
        from rowhouse.invitations i join rowhouse.users u on u.id = i.created_by
          left join rowhouse.bases b on i.resource_type = 'base' and b.id = i.resource_id and b.deleted_time is null
          join rowhouse.spaces s on s.id = coalesce(b.space_id, i.resource_id) and s.deleted_time is null
        where i.id = ${invitationId}`,
  );

/** A link, or an e-mail invitation that nobody has used yet; locked until the transaction ends. */
export const lockOpenInvitation = (
  db: Queryable,
  place: Place,
  invitationId: string,
): Promise<InvitationRow | undefined> =>
  maybe<InvitationRow>(
    db,
    sql`select ${invitationColumns} from rowhouse.invitations
        where id = ${invitationId} and resource_id = ${place.id} and accepted_time is null for update`,
  );

export const updateInvitationRole = async (db: Queryable, invitationId: string, role: Role): Promise<void> => {
  await db.query(sql`update rowhouse.invitations set role = ${role} where id = ${invitationId}`);
};

export const deleteInvitation = async (db: Queryable, invitationId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.invitations where id = ${invitationId}`);
};

export const deleteInvitations = async (db: Queryable, placeId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.invitations where resource_id = ${placeId}`);
};

/**
 * Inviting an address and signing up with it come one after the other: else each could miss what the other has not
 * committed yet, and the invitation would wait for ever.
 */
export const lockAddresses = async (db: Queryable, emails: readonly string[]): Promise<void> => {
  await db.query(
    sql`select pg_advisory_xact_lock(hashtextextended('invitation ' || email, 0))
        from (select distinct lower(given) as email from unnest(${emails}::text[]) as given order by 1) addresses`,
  );
};

interface EmailInvitation extends NewInvitation {
  email: string;
  /** The address has an account: it was let in at once. */
  isAccepted: boolean;
  /** Its secret goes out by mail and is shown to nobody else. */
  isMailed: boolean;
}

export const insertEmailInvitations = async (
  db: Queryable,
  place: Place,
  invitations: readonly EmailInvitation[],
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.invitations (id, kind, resource_type, resource_id, role, email, code_hash, created_by, expired_time, accepted_time, is_mailed)
        select i.id, 'email', ${place.type}, ${place.id}, i.role, i.email, decode(i."codeHash", 'hex'), i."createdBy", now() + interval '1 month',
               case when i."isAccepted" then now() end, i."isMailed"
        from jsonb_to_recordset(${JSON.stringify(invitations.map((invitation) => ({ ...invitation, codeHash: invitation.codeHash.toString('hex') })))}::jsonb)
          as i (id text, role text, email text, "codeHash" text, "createdBy" text, "isAccepted" boolean, "isMailed" boolean)`,
  );
};

interface WaitingInvitation {
  id: string;
  email: string;
  role: Role;
}

export const selectWaiting = (db: Queryable, place: Place, emails: readonly string[]): Promise<WaitingInvitation[]> =>
  many<WaitingInvitation>(
    db,
    sql`select id, lower(email) as email, role from rowhouse.invitations
        where resource_id = ${place.id} and kind = 'email' and accepted_time is null and lower(email) = any(${emails}::text[])`,
  );

/** Inviting an address again begins its month again, and makes sure that the link that is shown is the one that works. */
export const renewInvitations = async (
  db: Queryable,
  invitations: readonly { id: string; codeHash: Buffer }[],
  role: Role,
): Promise<void> => {
  await db.query(
    sql`update rowhouse.invitations i set role = ${role}, expired_time = now() + interval '1 month', code_hash = g.hash
        from unnest(${invitations.map(({ id }) => id)}::text[], ${invitations.map(({ codeHash }) => codeHash)}::bytea[]) g (id, hash) where i.id = g.id`,
  );
};

export interface PendingInvitation {
  id: string;
  place: Place;
  role: Role;
  createdBy: string;
}

const place = sql`json_build_object('type', resource_type, 'id', resource_id)`;

/** The invitation of the address with that id and secret, if it still waits; marked as accepted. */
export const takeOwnInvitation = (
  db: Queryable,
  given: { email: string; id: string; codeHash: Buffer },
): Promise<PendingInvitation[]> =>
  many<PendingInvitation>(
    db,
    sql`update rowhouse.invitations i set accepted_time = now()
        where ${isBacked} and id = ${given.id} and code_hash = ${given.codeHash} and lower(email) = lower(${given.email}) and kind = 'email'
          and accepted_time is null and (expired_time is null or expired_time > now())
        returning id, ${place} as place, role, created_by as "createdBy"`,
  );

export const isMailedInvitation = async (
  db: Queryable,
  given: { email: string; id: string; codeHash: Buffer },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`select from rowhouse.invitations i
        where ${isBacked} and id = ${given.id} and code_hash = ${given.codeHash} and lower(email) = lower(${given.email}) and is_mailed
          and accepted_time is null and expired_time > now()`,
  )) !== undefined;

interface InvitationToSend {
  email: string;
  placeType: 'space' | 'base';
  placeName: string;
  inviterName: string;
}

/** Undefined when it is over. */
export const selectInvitationToSend = (db: Queryable, invitationId: string): Promise<InvitationToSend | undefined> =>
  maybe<InvitationToSend>(
    db,
    sql`select i.email, i.resource_type as "placeType", coalesce(s.name, b.name) as "placeName", u.name as "inviterName"
        from rowhouse.invitations i join rowhouse.users u on u.id = i.created_by
        left join rowhouse.spaces s on i.resource_type = 'space' and s.id = i.resource_id
        left join rowhouse.bases b on i.resource_type = 'base' and b.id = i.resource_id
        where i.id = ${invitationId} and i.kind = 'email' and i.accepted_time is null and i.expired_time > now() and ${isBacked}`,
  );

export const markAccepted = async (db: Queryable, invitationId: string): Promise<void> => {
  await db.query(
    sql`update rowhouse.invitations set accepted_time = now() where id = ${invitationId} and kind = 'email'`,
  );
};

/** Marks every invitation that still waits for this address as accepted, and answers them. */
export const takePendingInvitations = (db: Queryable, email: string): Promise<PendingInvitation[]> =>
  many<PendingInvitation>(
    db,
    sql`update rowhouse.invitations i set accepted_time = now()
        where ${isBacked} and lower(email) = lower(${email}) and kind = 'email' and accepted_time is null
          and (expired_time is null or expired_time > now())
        returning id, json_build_object('type', resource_type, 'id', resource_id) as place, role, created_by as "createdBy"`,
  );
