// rowhouse token …: personal access tokens, for the operator.
import { notFound } from '@rowhouse/contract/error.ts';
import { type Action, actions } from '@rowhouse/contract/permission.ts';
import { operator } from '../catalog/audit.sql.ts';
import { readConfig } from '../config.ts';
import { createAccessToken } from '../domain/access-token/create-access-token.ts';
import { readExpiry } from '../domain/access-token/expiry.ts';
import { auditToken } from '../domain/access-token/token-audit.ts';
import { listAccessTokens } from '../domain/access-token/list-access-tokens.ts';
import { revokeAccessToken } from '../domain/access-token/delete-access-token.ts';
import { selectUserIdByEmail } from '../domain/user/user.sql.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './database.ts';
import { printRows } from './print.ts';
import { readEmail } from './user.ts';

const readScopes = (text: string | undefined): readonly string[] => {
  if (text === undefined) return actions;
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !actions.includes(scope as Action));
  if (unknown.length > 0)
    throw new UsageError(`there is no scope ${unknown.join(', ')}; there are: ${actions.join(', ')}`);
  return scopes;
};

const day = 86_400_000;

const create: Command = {
  name: 'token create',
  summary: 'Create an access token that reaches all that its user reaches',
  positionals: [{ name: 'email', meaning: 'E-mail address of the account it acts for' }],
  options: {
    name: { value: 'name', meaning: 'What it is for; "command line" when left out' },
    scopes: {
      value: 'list',
      meaning: 'Scopes with commas between, such as record|read,record|update; all when left out',
    },
    expires: { value: 'date', meaning: 'Its last day, such as 2030-01-31; a year from now when left out' },
  },
  async run({ argument, option }) {
    const email = readEmail(argument('email'));
    const scopes = readScopes(option('scopes'));
    const expiredTime = readExpiry(option('expires') ?? new Date(Date.now() + 365 * day).toISOString());
    await withDatabase(readConfig(process.env), async (db) => {
      const userId = await selectUserIdByEmail(db, email);
      if (userId === undefined) throw notFound('User', email);
      const made = await db.transaction(async (tx) => {
        const token = await createAccessToken(tx, {
          userId,
          name: (option('name') ?? 'command line').slice(0, 255),
          scopes,
          hasFullAccess: true,
          expiredTime,
        });
        await auditToken(tx, operator, 'token.created', token, userId);
        return token;
      });
      console.log(made.token);
    });
  },
};

const list: Command = {
  name: 'token list',
  summary: 'List the personal access tokens, newest first; their text is not kept',
  options: { email: { value: 'email', meaning: 'Only those of this account' }, json: { meaning: 'Print JSON' } },
  async run({ option, chosen }) {
    const email = option('email');
    const tokens = await withDatabase(readConfig(process.env), (db) =>
      listAccessTokens(db, email === undefined ? {} : { email }),
    );
    const rows = tokens.map((token) => ({
      id: token.id,
      email: token.email,
      name: token.name,
      scopes: token.mayDoAll ? 'all' : String(token.scopes.length),
      created: token.createdTime,
      expires: token.expiredTime,
      'last used': token.lastUsedTime ?? '-',
    }));
    printRows(rows, chosen('json'), 'there are no tokens');
  },
};

const revoke: Command = {
  name: 'token revoke',
  summary: 'End an access token at once',
  positionals: [{ name: 'id', meaning: 'Its id, as in the list' }],
  async run({ argument }) {
    await withDatabase(readConfig(process.env), (db) => revokeAccessToken(db, argument('id')));
    console.log(`${argument('id')} is revoked`);
  },
};

export const tokenCommands: readonly Command[] = [create, list, revoke];
