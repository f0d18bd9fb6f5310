import { forbidden, invalid, type Issue } from '@rowhouse/contract/error.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { addJobs } from '../../work/job.sql.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { isAlreadyIn } from '../collaborator/add-collaborators.ts';
import {
  type Candidate,
  concernedBy,
  insertCollaborators,
  type Place,
  selectCandidatesByEmail,
} from '../collaborator/collaborator.sql.ts';
import { lockAndDemand } from '../collaborator/lock-and-demand.ts';
import { mayGive } from '../collaborator/role-rules.ts';
import { demandTakenDomains } from '../setting/demand-domain.ts';
import { demandSeats, seatsBefore } from '../plan/seats.ts';
import { limitAdded, limitInvitations } from '../collaborator/limit-invitations.ts';
import { codeOf, inviteUrlOf } from './create-link.ts';
import { invitationMailJob } from './invitation-mail.ts';
import { insertEmailInvitations, lockAddresses, renewInvitations, selectWaiting } from './invitation.sql.ts';

const issuesOf = (emails: readonly string[], known: ReadonlyMap<string, Candidate>, role: Role): Issue[] =>
  emails.flatMap((email, at) => {
    const candidate = known.get(email.toLowerCase());
    const path = `emails[${at}]`;
    if (candidate?.deactivated === true) return [{ path, message: `The account of ${email} is deactivated` }];
    if (candidate !== undefined && isAlreadyIn(candidate, role))
      return [{ path, message: `${email} already has a role there` }];
    return [];
  });

/** An address that waits already is not invited twice; an invitation to more than the caller's own role stays as it is. */
const renewWaiting = async (
  tx: Tx,
  context: Context,
  place: Place,
  emails: readonly string[],
  own: Role,
  role: Role,
): Promise<Map<string, { id: string; isOwn: boolean }>> => {
  const waiting = await selectWaiting(tx, place, emails);
  await renewInvitations(
    tx,
    waiting
      .filter((invitation) => mayGive(own, invitation.role))
      .map(({ id }) => ({ id, codeHash: hashSecret(codeOf(context, id)) })),
    role,
  );
  return new Map(waiting.map(({ email, id, role: promised }) => [email, { id, isOwn: mayGive(own, promised) }]));
};

export const inviteEmails = async (
  context: Context,
  place: Place,
  input: { emails: readonly string[]; role: Role },
): Promise<Record<string, { invitationId: string; inviteUrl?: string }>> => {
  await demandTakenDomains(context.db, input.emails, 'emails[]');
  await limitInvitations(context, new Set(input.emails.map((email) => email.toLowerCase())).size);
  return retriedTransaction(context.db, async (tx) => {
    const isMailed = context.config.smtpUrl !== null;
    const { role } = input;
    const createdBy = context.principal.userId;
    const stand = await lockAndDemand(tx, context, place, `${place.type}|invite_email`);
    if (!mayGive(stand.role, role)) throw forbidden(`The role ${stand.role} cannot make anyone ${role}`);
    const emails = [...new Set(input.emails.map((email) => email.toLowerCase()))];
    await lockAddresses(tx, emails);
    const candidates = new Map(
      (await selectCandidatesByEmail(tx, place, emails)).map((candidate) => [candidate.email, candidate]),
    );
    const issues = issuesOf(input.emails, candidates, role);
    if (issues.length > 0) throw invalid(issues);
    // The one who made an account with an address need not be the one who reads its e-mails.
    const known = new Map([...candidates].filter(([, { isVerified }]) => isVerified || !isMailed));

    const waiting = await renewWaiting(
      tx,
      context,
      place,
      emails.filter((email) => !known.has(email)),
      stand.role,
      role,
    );
    const made = emails
      .filter((email) => !waiting.has(email))
      .map((email) => ({ email, id: context.newId('inv') }))
      .map(({ email, id }) => ({
        id,
        email,
        role,
        codeHash: hashSecret(codeOf(context, id)),
        createdBy,
        isAccepted: known.has(email),
        isMailed: isMailed && !known.has(email),
      }));
    await insertEmailInvitations(tx, place, made);
    if (known.size > 0) {
      const userIds = [...known.values()].map(({ userId }) => userId);
      await limitAdded(tx, context, stand.spaceId, userIds);
      const before = await seatsBefore(tx, place);
      await insertCollaborators(tx, place, { userIds, role, createdBy });
      await addToOutbox(tx, { type: 'invited', userIds, place, role, actorId: createdBy });
      await demandSeats(tx, context, place, before);
      await bumpEpochs(tx, [stand.spaceId]);
    }
    await writeAudit(tx, doerOf(context), 'invitation.sent', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      emails,
      role,
    });
    if (isMailed) {
      const toSend = [
        ...[...waiting.values()].filter(({ isOwn }) => isOwn),
        ...made.filter(({ isAccepted }) => !isAccepted),
      ];
      if (toSend.length > 0)
        await addJobs(
          tx,
          toSend.map(({ id }) => invitationMailJob(id)),
        );
    }
    const shown = new Map<string, { invitationId: string; inviteUrl?: string }>();
    // What is mailed is shown to nobody else, so that it proves the address.
    const withUrl = (id: string) =>
      isMailed ? { invitationId: id } : { invitationId: id, inviteUrl: inviteUrlOf(context, id, codeOf(context, id)) };
    // The link of an invitation to more than the caller has is not the caller's to see.
    for (const [email, { id, isOwn }] of waiting) shown.set(email, isOwn ? withUrl(id) : { invitationId: id });
    for (const { email, id, isAccepted } of made) shown.set(email, isAccepted ? { invitationId: id } : withUrl(id));
    return Object.fromEntries(
      input.emails.map((email) => [email, shown.get(email.toLowerCase()) as { invitationId: string }]),
    );
  });
};
