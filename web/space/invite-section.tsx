// Letting people in, to a space or to a base.
import type { Role } from '@rowhouse/contract/permission.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';
import { roleWords } from './role-words.ts';

interface InvitationLink {
  invitationId: string;
  inviteUrl: string;
  role: Role;
}

/** The requests, of a space or of a base. */
export interface Invitations {
  invite: (emails: string[], role: Role) => Promise<Record<string, { inviteUrl?: string }>>;
  /** Absent: links are not this person's to give. */
  links?:
    | {
        list: (signal: AbortSignal) => Promise<InvitationLink[]>;
        add: (role: Role) => Promise<unknown>;
        remove: (invitationId: string) => Promise<unknown>;
      }
    | undefined;
}

interface InviteSectionProps {
  /** Of the space or the base. */
  id: string;
  roles: readonly Role[];
  invitations: Invitations;
  onInvited: () => Promise<unknown>;
}

export const InviteSection = ({ id, roles, invitations, onInvited }: InviteSectionProps) => {
  const [emails, setEmails] = useState('');
  const [role, setRole] = useState<Role>(roles.includes('editor') ? 'editor' : (roles[0] ?? 'viewer'));
  const links = useQuery({
    queryKey: ['links', id],
    queryFn: ({ signal }) => invitations.links?.list(signal) ?? [],
    enabled: invitations.links !== undefined,
  });
  const refreshLinks = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['links', id] });
  const invite = useMutation({
    mutationFn: () => invitations.invite(emails.split(/[\s,;]+/).filter(Boolean), role),
    onSuccess: async (answer) => {
      setEmails('');
      showToast({
        kind: 'note',
        title: `${Object.keys(answer).length} invited.`,
        detail: Object.values(answer).some(({ inviteUrl }) => inviteUrl !== undefined)
          ? 'People with an account join immediately; the others need the link that is shown for each.'
          : 'People with an account join immediately; the others get an e-mail with a link.',
      });
      await onInvited();
    },
  });
  const addLink = useMutation({ mutationFn: async () => invitations.links?.add(role), onSuccess: refreshLinks });
  const removeLink = useMutation({
    mutationFn: async (invitationId: string) => invitations.links?.remove(invitationId),
    onSuccess: refreshLinks,
  });

  return (
    <Section title="Invite people" lead="By e-mail, or with a link that works for anyone who has it.">
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate();
        }}
      >
        <TextField
          label="E-mail addresses"
          className="min-w-0 flex-1 basis-72"
          placeholder="kim@example.com, lee@example.com"
          value={emails}
          onChange={(event) => setEmails(event.target.value)}
        />
        <SelectField
          label="Role"
          className="w-full sm:w-72"
          value={role}
          options={roles.map((value) => ({ value, label: roleWords[value] }))}
          onValue={(next) => setRole(next as Role)}
        />
        <Button look="primary" type="submit" busy={invite.isPending} disabled={emails.trim() === ''}>
          Invite
        </Button>
        {invitations.links !== undefined && (
          <Button icon={<Link2 size={16} />} busy={addLink.isPending} onClick={() => addLink.mutate()}>
            New link
          </Button>
        )}
      </form>
      <div className="mt-4 empty:hidden">
        <ProblemNote error={invite.error ?? addLink.error ?? removeLink.error ?? links.error} />
      </div>
      <ul className="mt-4 divide-y divide-line empty:hidden" aria-label="Links for those without an account">
        {Object.entries(invite.data ?? {}).map(
          ([email, { inviteUrl }]) =>
            inviteUrl !== undefined && (
              <li key={email} className="flex flex-wrap items-center gap-3 py-2.5">
                <div className="min-w-0 flex-1 basis-60">
                  <p className="truncate font-mono text-[12px] text-ink-soft">{inviteUrl}</p>
                  <p className="text-[13px] text-ink-faint">Send this link to {email}. It works once.</p>
                </div>
                <CopyButton text={inviteUrl} label="Copy link" />
              </li>
            ),
        )}
      </ul>
      <ul className="mt-4 divide-y divide-line empty:hidden">
        {links.data?.map((link) => (
          <li key={link.invitationId} className="flex flex-wrap items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1 basis-60">
              <p className="truncate font-mono text-[12px] text-ink-soft">{link.inviteUrl}</p>
              <p className="text-[13px] text-ink-faint">People who join become {link.role}s</p>
            </div>
            <CopyButton text={link.inviteUrl} label="Copy link" />
            <Button
              size="small"
              look="ghost"
              disabled={removeLink.isPending}
              onClick={() => removeLink.mutate(link.invitationId)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
};
