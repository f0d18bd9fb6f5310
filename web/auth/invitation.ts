// An invitation that somebody without an account has followed: its secret is in the address to go to afterwards.
import { describeInvitation } from '@rowhouse/contract/invitation.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';

interface LinkSecret {
  invitationId: string;
  invitationCode: string;
}

/** An address alone lets nobody in. */
export const invitationIn = (wanted: string | undefined): LinkSecret | undefined => {
  const { pathname, searchParams } = new URL(wanted ?? '/', window.location.origin);
  const [invitationId, invitationCode] = [searchParams.get('invitationId'), searchParams.get('invitationCode')];
  return pathname === '/invite' && invitationId !== null && invitationCode !== null
    ? { invitationId, invitationCode }
    : undefined;
};

/** Who invites to what, in which role; nothing without an invitation, or with one that is over. */
export const useInvitationLead = (wanted: string | undefined): string | undefined => {
  const body = invitationIn(wanted);
  const { data } = useQuery({
    queryKey: ['invitation', body?.invitationId],
    queryFn: () => call(describeInvitation, { body: body as LinkSecret }),
    enabled: body !== undefined,
    retry: false,
  });
  return data === undefined
    ? undefined
    : `${data.invitedBy} invited you to the ${data.resourceType} ${data.resourceName} as ${data.role}.`;
};
