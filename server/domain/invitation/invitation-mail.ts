// The e-mail to somebody without an account. It holds the secret of the invitation, and of what others chose only names,
// in a form that cannot be a message of its own.
import type { Services } from '../../context.ts';
import type { NewJob, RunningJob } from '../../work/job.ts';
import { deliver } from '../mail/deliver.ts';
import { plainName } from '../mail/plain-name.ts';
import { codeOf, inviteUrlOf } from './create-link.ts';
import { selectInvitationToSend } from './invitation.sql.ts';

export const sendInvitationKind = 'send-invitation';

interface InvitationPayload {
  invitationId: string;
}

export const invitationMailJob = (invitationId: string): NewJob => ({
  kind: sendInvitationKind,
  payload: { invitationId } satisfies InvitationPayload,
});

export const sendInvitation = async (services: Services, job: RunningJob): Promise<void> => {
  const { db, config, publicUrl } = services;
  const { invitationId } = job.payload as InvitationPayload;
  const invitation = config.smtpUrl === null ? undefined : await selectInvitationToSend(db, invitationId);
  if (invitation === undefined) return;
  const { placeType } = invitation;
  const [inviter, place] = [plainName(invitation.inviterName), plainName(invitation.placeName)];
  const text = [
    `${inviter === '' ? 'Somebody' : `"${inviter}"`} invites you to work together in the ${placeType} ${place === '' ? '' : `"${place}" `}at ${publicUrl()}.`,
    `To accept, open this link within a month:\n${inviteUrlOf(services, invitationId, codeOf(services, invitationId))}`,
    'If you do not know what this is about, ignore this e-mail: you are in nowhere until you accept.',
  ];
  const mail = {
    to: { name: '', address: invitation.email },
    subject: `You are invited to a ${placeType}`,
    text: `${text.join('\n\n')}\n`,
    messageId: `<${job.id}@${new URL(publicUrl()).hostname}>`,
  };
  await deliver(config, mail, job);
};
