// rowhouse user …: accounts, for the operator.
import { isStorable } from '@rowhouse/contract/text.ts';
import { randomPassword } from '../domain/setup/credentials.ts';
import { readConfig } from '../config.ts';
import { createAccount } from '../domain/auth/create-account.ts';
import { changeUserEmail, resetPassword, verifyUser } from '../domain/auth/operator-account.ts';
import { removeUserSecondFactor } from '../domain/auth/second-factor.ts';
import { setUserActive } from '../domain/auth/set-user-active.ts';
import { listUsers } from '../domain/user/read-users.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './database.ts';
import { printRows } from './print.ts';

const email = { name: 'email', meaning: 'E-mail address of the account' };
const password = { value: 'text', meaning: 'Its password; without this option a random one is made and printed' };

export const readEmail = (text: string): string => {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > 254 || !isStorable(text))
    throw new UsageError(`"${text}" is not an e-mail address`);
  return text;
};

const create: Command = {
  name: 'user create',
  summary: 'Create an account, also where sign-up is closed',
  positionals: [email],
  options: {
    name: { value: 'name', meaning: 'Name to show; the part before the @ when left out' },
    password,
    admin: { meaning: 'Make it an administrator of this instance' },
  },
  async run({ argument, option, chosen }) {
    const address = readEmail(argument('email'));
    const secret = option('password') ?? randomPassword();
    await withDatabase(readConfig(process.env), async (db) => {
      const { user, spaceId } = await createAccount(db, {
        email: address,
        password: secret,
        name: option('name'),
        isAdmin: chosen('admin'),
        isVouchedFor: true,
      });
      console.log(
        `created ${user.id} ${user.email}${user.isAdmin ? ' (administrator)' : ''} with the space ${spaceId}`,
      );
      if (option('password') === undefined) console.log(`password: ${secret}`);
    });
  },
};

const list: Command = {
  name: 'user list',
  summary: 'List the accounts, oldest first',
  options: { json: { meaning: 'Print JSON' } },
  async run({ chosen }) {
    const users = await withDatabase(readConfig(process.env), listUsers);
    const rows = users.map((user) => ({
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.isAdmin ? 'administrator' : 'user',
      created: user.createdTime,
      'last sign-in': user.lastSignInTime ?? '-',
      verified: user.emailVerifiedTime === null ? 'no' : 'yes',
      state: user.deletedTime !== null ? 'deleted' : user.deactivatedTime === null ? 'active' : 'deactivated',
    }));
    printRows(rows, chosen('json'), 'there are no accounts');
  },
};

const reset: Command = {
  name: 'user reset-password',
  summary: 'Give an account a new password; its sessions end',
  positionals: [email],
  options: { password },
  async run({ argument, option }) {
    const address = readEmail(argument('email'));
    const secret = option('password') ?? randomPassword();
    await withDatabase(readConfig(process.env), (db) => resetPassword(db, { email: address, password: secret }));
    console.log(`the password of ${address} is changed`);
    if (option('password') === undefined) console.log(`password: ${secret}`);
  },
};

const verify: Command = {
  name: 'user verify',
  summary: 'Vouch for the e-mail address of an account; invitations that wait for it take effect',
  positionals: [email],
  async run({ argument }) {
    const address = readEmail(argument('email'));
    const changed = await withDatabase(readConfig(process.env), (db) => verifyUser(db, address));
    console.log(`${address} ${changed ? 'is now' : 'was already'} verified`);
  },
};

const changeEmail: Command = {
  name: 'user change-email',
  summary: 'Give an account another e-mail address, which counts as verified',
  positionals: [email, { name: 'new-email', meaning: 'Its new e-mail address' }],
  async run({ argument }) {
    const [address, next] = [readEmail(argument('email')), readEmail(argument('new-email'))];
    await withDatabase(readConfig(process.env), (db) => changeUserEmail(db, address, next));
    console.log(`the account of ${address} has the address ${next.toLowerCase()} now`);
  },
};

const removeFactor: Command = {
  name: 'user remove-second-factor',
  summary: 'Take the second factor off an account that has lost its app and its recovery codes',
  positionals: [email],
  async run({ argument }) {
    const address = readEmail(argument('email'));
    const removed = await withDatabase(readConfig(process.env), (db) => removeUserSecondFactor(db, address));
    console.log(`${address} ${removed ? 'has no second factor any more' : 'had no second factor'}`);
  },
};

const switching = (active: boolean, summary: string): Command => ({
  name: `user ${active ? 'activate' : 'deactivate'}`,
  summary,
  positionals: [email],
  async run({ argument }) {
    const address = readEmail(argument('email'));
    const changed = await withDatabase(readConfig(process.env), (db) => setUserActive(db, address, active));
    console.log(`${address} ${changed ? 'is now' : 'was already'} ${active ? 'active' : 'deactivated'}`);
  },
});

const deactivate = switching(false, 'Shut an account out at once: its sessions, tokens and streams end');
const activate = switching(true, 'Let a deactivated account sign in again');

export const userCommands: readonly Command[] = [
  create,
  list,
  reset,
  verify,
  changeEmail,
  removeFactor,
  deactivate,
  activate,
];
