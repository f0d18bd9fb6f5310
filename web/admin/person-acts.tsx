// What an administrator can do to an account: the menu, and what it asks first.
import {
  type AdminUser,
  createPasswordLink,
  deleteAdminUser,
  eraseAdminUser,
  removeSecondFactorOf,
  restoreAdminUser,
  setUserAdmin,
  updateAdminUser,
} from '@rowhouse/contract/admin-user.ts';
import { endSessionsOfUser } from '@rowhouse/contract/session.ts';
import {
  Ellipsis,
  KeyRound,
  LogOut,
  Pencil,
  ShieldMinus,
  ShieldPlus,
  ShieldX,
  Trash2,
  Undo2,
  UserCheck,
  UserX,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { showProblem, showToast } from '../ui/toast.ts';
import { reloadAdmin } from './queries.ts';

type Ask = 'rename' | 'deactivate' | 'delete' | 'erase' | 'admin' | 'noAdmin' | 'signOut' | 'factor' | 'link';

const told = (title: string): void => showToast({ kind: 'note', title });

interface Question {
  title: string;
  description: ReactNode;
  action: string;
  act: () => Promise<unknown>;
  done: string;
}

const questionOf = (ask: Ask, { id: userId, name }: AdminUser): Question | undefined => {
  const params = { userId };
  switch (ask) {
    case 'deactivate':
      return {
        title: `Deactivate ${name}?`,
        description:
          'Their sessions, access tokens and open pages end at once, and applications lose what they were allowed. Their roles and everything they wrote stay. You can activate them again.',
        action: 'Deactivate',
        act: () => call(updateAdminUser, { params, body: { isActivated: false } }),
        done: `${name} is deactivated.`,
      };
    case 'delete':
      return {
        title: `Delete the account of ${name}?`,
        description:
          'They are signed out everywhere and no longer listed. You can restore the account under “Deleted” until you delete it for good.',
        action: 'Delete account',
        act: () => call(deleteAdminUser, { params }),
        done: `The account of ${name} was deleted.`,
      };
    case 'erase':
      return {
        title: `Delete ${name} for good?`,
        description:
          'Everything that is theirs alone goes. What they wrote in bases of others stays, by “Deleted user”. This cannot be undone.',
        action: 'Delete for good',
        act: () => call(eraseAdminUser, { params }),
        done: `${name} was deleted for good.`,
      };
    case 'admin':
      return {
        title: `Make ${name} an administrator?`,
        description:
          'Administrators can do everything on these pages, also to each other. They do not see into spaces without taking them over.',
        action: 'Make administrator',
        act: () => call(setUserAdmin, { params, body: { isAdmin: true } }),
        done: `${name} is an administrator now.`,
      };
    case 'noAdmin':
      return {
        title: `${name} will no longer be an administrator`,
        description: 'Their account and their roles stay.',
        action: 'Remove administrator',
        act: () => call(setUserAdmin, { params, body: { isAdmin: false } }),
        done: `${name} is no longer an administrator.`,
      };
    case 'signOut':
      return {
        title: `Sign ${name} out everywhere?`,
        description: 'All their sessions end at once. Access tokens stay valid.',
        action: 'Sign out',
        act: () => call(endSessionsOfUser, { params }),
        done: `${name} is signed out everywhere.`,
      };
    case 'factor':
      return {
        title: `Remove the second factor of ${name}?`,
        description: 'Only for somebody who has lost the app and the recovery codes. They are told by e-mail.',
        action: 'Remove second factor',
        act: () => call(removeSecondFactorOf, { params }),
        done: `${name} has no second factor any more.`,
      };
    default:
      return undefined;
  }
};

/** A link that was just made: it is shown once. */
export const LinkDialog = ({ link, isMailed, onClose }: { link: string; isMailed: boolean; onClose: () => void }) => (
  <SecretDialog
    kind="link"
    title="Link to choose a password"
    warning={`It works once, for a day, for anyone who has it. ${isMailed ? 'It was also mailed to the address of the account.' : 'Hand it to the person yourself: this server sends no e-mails.'}`}
    secret={link}
    onClose={onClose}
  />
);

export const PersonActs = ({ person }: { person: AdminUser }) => {
  const me = useMe();
  const [ask, setAsk] = useState<Ask | null>(null);
  const [link, setLink] = useState<{ link: string; isMailed: boolean } | null>(null);
  const params = { userId: person.id };
  const question = ask === null ? undefined : questionOf(ask, person);
  const isActive = person.deactivatedTime === null;
  const close = (): void => setAsk(null);

  const act = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await work();
      told(done);
    } catch (error) {
      showProblem(error);
    } finally {
      await reloadAdmin();
    }
  };
  const makeLink = async (): Promise<void> => {
    try {
      setLink(await call(createPasswordLink, { params }));
    } catch (error) {
      showProblem(error);
    }
  };

  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More for ${person.name}`}>
            <Ellipsis size={17} />
          </IconButton>
        }
      >
        {person.deletedTime !== null ? (
          <>
            <MenuItem
              icon={<Undo2 size={16} />}
              onSelect={() => void act(() => call(restoreAdminUser, { params }), `${person.name} was restored.`)}
            >
              Restore
            </MenuItem>
            <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsk('erase')}>
              Delete for good
            </MenuItem>
          </>
        ) : (
          <>
            <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsk('rename')}>
              Rename
            </MenuItem>
            {isActive && (
              <>
                <MenuItem icon={<KeyRound size={16} />} onSelect={() => void makeLink()}>
                  Link for a new password
                </MenuItem>
                <MenuItem icon={<LogOut size={16} />} onSelect={() => setAsk('signOut')}>
                  Sign out everywhere
                </MenuItem>
                {person.hasSecondFactor && (
                  <MenuItem icon={<ShieldX size={16} />} onSelect={() => setAsk('factor')}>
                    Remove second factor
                  </MenuItem>
                )}
                <MenuItem
                  icon={person.isAdmin ? <ShieldMinus size={16} /> : <ShieldPlus size={16} />}
                  onSelect={() => setAsk(person.isAdmin ? 'noAdmin' : 'admin')}
                >
                  {person.isAdmin ? 'Remove administrator' : 'Make administrator'}
                </MenuItem>
              </>
            )}
            <MenuSeparator />
            {isActive ? (
              <MenuItem
                danger
                icon={<UserX size={16} />}
                disabled={person.id === me.id}
                onSelect={() => setAsk('deactivate')}
              >
                Deactivate
              </MenuItem>
            ) : (
              <MenuItem
                icon={<UserCheck size={16} />}
                onSelect={() =>
                  void act(
                    () => call(updateAdminUser, { params, body: { isActivated: true } }),
                    `${person.name} can sign in again.`,
                  )
                }
              >
                Activate
              </MenuItem>
            )}
            <MenuItem
              danger
              icon={<Trash2 size={16} />}
              disabled={person.id === me.id}
              onSelect={() => setAsk('delete')}
            >
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {ask === 'rename' && (
        <NameDialog
          title={`Rename ${person.name}`}
          initial={person.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(updateAdminUser, { params, body: { name } });
            await reloadAdmin();
          }}
        />
      )}
      {question !== undefined && (
        <ConfirmDialog
          title={question.title}
          description={question.description}
          action={question.action}
          onClose={close}
          onConfirm={async () => {
            await question.act();
            await reloadAdmin();
            told(question.done);
          }}
        />
      )}
      {link !== null && <LinkDialog {...link} onClose={() => setLink(null)} />}
    </>
  );
};
