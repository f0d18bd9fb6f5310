// Getting somebody's account, or at them, by way of e-mail.
import { sendResetPasswordEmail, sendSignUpCode, signUp } from '@rowhouse/contract/auth.ts';
import { inviteToSpace } from '@rowhouse/contract/invitation.ts';
import { getSpace } from '@rowhouse/contract/space.ts';
import { renameUser } from '@rowhouse/contract/user.ts';
import { sql } from '../../server/db/sql.ts';
import { caller } from '../../test/support/caller.ts';
import { type MailServer, openMailServer } from '../../test/support/mail-server.ts';
import { person } from '../../test/support/people.ts';
import { newSpace } from '../../test/support/workspace.ts';
import type { Ground } from '../ground.ts';
import { type Attack, type Scene, unless } from './attack.ts';

const stages = new WeakMap<Scene, Promise<{ mailing: Ground; mail: MailServer }>>();

/** A server that sends e-mails, and who gets them. One for all of these attacks. */
const stageOf = (scene: Scene): Promise<{ mailing: Ground; mail: MailServer }> => {
  const found =
    stages.get(scene) ??
    openMailServer().then(async (mail) => ({
      mail,
      mailing: await scene.open({ SMTP_URL: mail.url, TRUST_PROXY: 'yes' }),
    }));
  stages.set(scene, found);
  return found;
};

const password = 'correct horse 1';
let clients = 0;
const anyoneAt = ({ baseUrl }: Ground) =>
  caller({ baseUrl, headers: { 'x-forwarded-for': `198.51.100.${(clients += 1)}` } });

const settled = async ({ db }: Ground): Promise<void> => {
  while (
    (await db.query(sql`select from rowhouse.jobs where every is null and state in ('waiting', 'running')`)).length > 0
  )
    await new Promise((done) => setTimeout(done, 20));
};

export const attacks: Attack[] = [
  {
    name: 'an account is made with the address of somebody else',
    async run(scene) {
      const { mailing } = await stageOf(scene);
      const call = anyoneAt(mailing);
      const email = 'victim@example.com';
      const { token } = (await call(sendSignUpCode, { body: { email } })).body;
      const found: string[] = [];
      for (let guess = 0; guess < 20; guess += 1) {
        const { status } = await call(signUp, {
          body: { email, password, verification: { token, code: String(guess).padStart(8, '0') } },
        });
        found.push(...unless(status === 400, `a guessed code answered ${status}`));
      }
      const accounts = await mailing.db.query(sql`select id from rowhouse.users where email = ${email}`);
      return [...found, ...unless(accounts.length === 0, 'the account is there')];
    },
  },
  {
    name: 'answers tell which addresses have an account',
    async run(scene) {
      const { mailing } = await stageOf(scene);
      const someone = await person(mailing);
      const ask = async (email: string): Promise<string> => {
        const answers = [
          await anyoneAt(mailing)(signUp, { body: { email, password } }),
          await anyoneAt(mailing)(sendSignUpCode, { body: { email } }),
          await anyoneAt(mailing)(sendResetPasswordEmail, { body: { email } }),
        ];
        return JSON.stringify(
          answers.map(({ status, error }) => [
            status,
            error?.code,
            error?.message?.replaceAll(email, '<address>'),
            Object.keys(error?.data ?? {}),
          ]),
        );
      };
      const [known, unknown] = [await ask(someone.email), await ask('nobody-knows@example.com')];
      return unless(known === unknown, `known: ${known}, unknown: ${unknown}`);
    },
  },
  {
    name: 'the one who made an account with an address gets what its owner is invited to',
    async run(scene) {
      const { mailing } = await stageOf(scene);
      const [owner, squatter] = [await person(mailing), await person(mailing)];
      const spaceId = await newSpace(owner);
      const invited = await owner.call(inviteToSpace, {
        params: { spaceId },
        body: { emails: [squatter.email], role: 'owner' },
      });
      const seen = await squatter.call(getSpace, { params: { spaceId } });
      return [
        ...unless(seen.status === 404, `the space answered ${seen.status}`),
        ...unless(
          !JSON.stringify(invited.body).includes('inviteUrl'),
          'the inviter sees the secret that proves the address',
        ),
      ];
    },
  },
  {
    name: 'strangers are sent text and links of somebody’s choice',
    async run(scene) {
      const { mailing, mail } = await stageOf(scene);
      const owner = await person(mailing);
      await owner.call(renameUser, { body: { name: 'You won: https://evil.example/claim' } });
      const spaceId = await newSpace(owner, 'evil.example <b>now</b>');
      await owner.call(inviteToSpace, {
        params: { spaceId },
        body: { emails: ['stranger@example.com'], role: 'viewer' },
      });
      const message = await mail.newestTo('stranger@example.com');
      return unless(!/evil\.example|<b>|won:/.test(message), message);
    },
  },
  {
    name: 'one account sends invitations by the thousand',
    async run(scene) {
      const { mailing, mail } = await stageOf(scene);
      mail.unknown.add('flood.invalid');
      const owner = await person(mailing);
      const spaceId = await newSpace(owner);
      const statuses: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const emails = Array.from({ length: 150 }, (_, at) => `a${round}b${at}@flood.invalid`);
        statuses.push(
          (await owner.call(inviteToSpace, { params: { spaceId }, body: { emails, role: 'viewer' } })).status,
        );
      }
      await mailing.db.query(sql`delete from rowhouse.jobs where kind = 'send-invitation' and state = 'waiting'`);
      await settled(mailing);
      return unless(statuses.join() === '201,429,429', `answered ${statuses.join()}`);
    },
  },
];
