// The end of the account. What stands in the way, spaces that nobody else owns, is named before anything is typed.
import { deleteUser } from '@rowhouse/contract/auth.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { meKey, queryClient } from '../app/query-client.ts';
import { spacesQuery } from '../home/spaces-query.ts';
import { membersQuery } from '../space/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';

const word = 'DELETE';

interface OwnSpace {
  id: string;
  name: string;
  /** Null: it is not in the trash. */
  deletedTime: string | null;
}

/** Those of which nobody else is an owner. What is in the trash the server names when it is asked to delete the account. */
const ownSpacesQuery = (userId: string) => ({
  queryKey: ['own-spaces', userId],
  queryFn: async (): Promise<OwnSpace[]> => {
    const owned = (await queryClient.fetchQuery(spacesQuery)).filter(({ role }) => role === 'owner');
    const members = await Promise.all(owned.map(({ id }) => queryClient.fetchQuery(membersQuery(id))));
    const isOwner = (person: { userId: string; role: string; resourceType: string }): boolean =>
      person.role === 'owner' && person.resourceType === 'space' && person.userId !== userId;
    return owned
      .filter((_space, at) => members[at]?.people.some(isOwner) !== true)
      .map(({ id, name }) => ({ id, name, deletedTime: null }));
  },
  staleTime: 0,
});

const spacesIn = (error: unknown): OwnSpace[] | undefined =>
  error instanceof ApiError ? (error.data as { spaces?: OwnSpace[] } | undefined)?.spaces : undefined;

const SpacesInTheWay = ({ spaces }: { spaces: readonly OwnSpace[] }) => (
  <div className="rounded-lg bg-warn-soft px-3 py-2.5">
    <p>
      <strong className="font-medium">Nobody else owns {spaces.length === 1 ? 'this space' : 'these spaces'}.</strong>{' '}
      Make another person an owner, or delete {spaces.length === 1 ? 'it' : 'them'} for good, before you delete your
      account:
    </p>
    <ul aria-label="Spaces that only you own" className="mt-1 list-disc pl-5">
      {spaces.map(({ id, name, deletedTime }) => (
        <li key={id}>
          {deletedTime === null ? (
            <Link to="/space/$spaceId" params={{ spaceId: id }} className="font-medium text-accent underline">
              {name}
            </Link>
          ) : (
            <>
              {name}, in the{' '}
              <Link to="/trash" className="font-medium text-accent underline">
                trash
              </Link>
            </>
          )}
        </li>
      ))}
    </ul>
  </div>
);

const DeleteAccountDialog = ({ onClose }: { onClose: () => void }) => {
  const me = useMe();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState('');
  const own = useQuery(ownSpacesQuery(me.id));
  const remove = useMutation({
    mutationFn: () => call(deleteUser, { query: { confirm: word }, body: password === '' ? {} : { password } }),
    onSuccess: async () => {
      queryClient.clear();
      queryClient.setQueryData(meKey, null);
      await navigate({ to: '/login', search: {} });
      showToast({ kind: 'note', title: 'Your account was deleted.' });
    },
  });
  const inTheWay = spacesIn(remove.error) ?? own.data ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete your account?"
      description="You are signed out everywhere, and your tokens, applications and roles end at once. Your name, address and picture are forgotten. What you wrote in spaces of others stays, as that of a deleted user. This cannot be undone."
    >
      {own.isPending ? (
        <Loading what="Looking for spaces that only you own" />
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            remove.mutate();
          }}
        >
          {inTheWay.length > 0 && <SpacesInTheWay spaces={inTheWay} />}
          <TextField
            label="Your password"
            type="password"
            autoComplete="current-password"
            required={me.hasPassword}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <TextField
            label={`Type ${word} to confirm`}
            autoComplete="off"
            required
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <ProblemNote error={spacesIn(remove.error) === undefined ? (remove.error ?? own.error) : null} />
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="danger"
              type="submit"
              busy={remove.isPending}
              disabled={typed !== word || (own.data ?? []).length > 0}
            >
              Delete my account
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
};

export const DeleteAccountSection = () => {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title="Delete account"
      lead="Deletes your account and your private spaces. What you wrote in other spaces stays there."
    >
      <Button look="danger" onClick={() => setAsking(true)}>
        Delete account
      </Button>
      {isAsking && <DeleteAccountDialog onClose={() => setAsking(false)} />}
    </Section>
  );
};
