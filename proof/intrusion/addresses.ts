// Getting somebody's account, or at them, by way of e-mail.
import { request } from 'node:http';
import { resetPassword, sendResetPasswordEmail, sendSignUpCode, signIn, signUp } from '@rowhouse/contract/auth.ts';
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
  caller({
    baseUrl,
    headers: { 'x-forwarded-for': `198.51.${100 + Math.floor((clients += 1) / 200)}.${clients % 200}` },
  });

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
      const [someone, inviter] = [await person(mailing), await person(mailing)];
      const spaceId = await newSpace(inviter);
      const ask = async (email: string): Promise<string> => {
        const invited = await inviter.call(inviteToSpace, {
          params: { spaceId },
          body: { emails: [email], role: 'viewer' },
        });
        const answers = [
          invited,
          await anyoneAt(mailing)(signIn, { body: { email, password: 'a wrong horse 9' } }),
          await anyoneAt(mailing)(signUp, { body: { email, password } }),
          await anyoneAt(mailing)(sendSignUpCode, { body: { email } }),
          await anyoneAt(mailing)(sendResetPasswordEmail, { body: { email } }),
        ];
        const shown = JSON.stringify(invited.body)
          .replaceAll(email, '<address>')
          .replace(/inv\w+/g, '<id>');
        return JSON.stringify([
          shown,
          ...answers.map(({ status, error }) => [
            status,
            error?.code,
            error?.message?.replaceAll(email, '<address>'),
            Object.keys(error?.data ?? {}),
          ]),
        ]);
      };
      const [known, unknown] = [await ask(someone.email), await ask('nobody-knows@example.com')];
      return unless(known === unknown, `known: ${known}, unknown: ${unknown}`);
    },
  },
  {
    name: 'the work for an answer tells which addresses have an account',
    isLong: true,
    async run(scene) {
      const { mailing } = await stageOf(scene);
      const count = 20;
      const known: string[] = [];
      for (let at = 0; at < count; at += 1) known.push((await person(mailing)).email);
      const unknown = known.map((email) => `not-${email}`);
      // Time of a processor: how long it takes on a machine that does other things says nothing.
      const costOf = async (emails: readonly string[], ask: (email: string) => Promise<unknown>): Promise<number> => {
        await settled(mailing);
        const measured = mailing.measure();
        for (const email of emails) await ask(email);
        await settled(mailing);
        return measured().cpu;
      };
      const flows: Record<string, (email: string) => Promise<unknown>> = {
        'signing in': (email) => anyoneAt(mailing)(signIn, { body: { email, password: 'a wrong horse 9' } }),
        'asking for a link': (email) => anyoneAt(mailing)(sendResetPasswordEmail, { body: { email } }),
        'asking for a code': (email) => anyoneAt(mailing)(sendSignUpCode, { body: { email } }),
      };
      const found: string[] = [];
      for (const [name, ask] of Object.entries(flows)) {
        await costOf(known.slice(0, 2), ask);
        const [one, other] = [await costOf(known, ask), await costOf(unknown, ask)];
        // A password takes a processor 30 ms or more, an e-mail a few.
        found.push(
          ...unless(Math.abs(one - other) < 15 * count, `${name}: ${one} and ${other} ms for ${count} addresses`),
        );
      }
      return found;
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
    name: 'the link to set a password leads to another host, or works twice',
    async run(scene) {
      const { mailing, mail } = await stageOf(scene);
      const victim = await person(mailing);
      const { hostname, port } = new URL(mailing.origin);
      const asked = await new Promise<number>((done, fail) => {
        const sent = request(
          {
            hostname,
            port,
            method: 'POST',
            path: '/api/auth/send-reset-password-email',
            headers: {
              host: 'evil.example',
              'x-forwarded-host': 'evil.example',
              'x-forwarded-for': '198.51.100.200',
              origin: 'https://evil.example',
              'content-type': 'application/json',
            },
          },
          (answer) => answer.resume().on('end', () => done(answer.statusCode as number)),
        );
        sent.on('error', fail).end(JSON.stringify({ email: victim.email }));
      });
      await settled(mailing);
      const message = asked < 300 ? await mail.newestTo(victim.email) : '';
      const code = /reset-password#([0-9a-f]{64}\.[\w-]+)/.exec(message.replaceAll('=\r\n', ''))?.[1] ?? '';
      const use = async (): Promise<number> =>
        (await anyoneAt(mailing)(resetPassword, { body: { code, password: 'quite another horse 7' } })).status;
      const statuses = [await use(), await use()];
      return [
        ...unless(asked < 300 && code !== '', `asking answered ${asked}`),
        ...unless(!message.includes('evil.example'), message),
        ...unless(
          (statuses[0] as number) < 300 && statuses[1] === 400,
          `used twice, the link answered ${statuses.join()}`,
        ),
      ];
    },
  },
  {
    name: 'an address or a name adds headers and recipients to an e-mail',
    async run(scene) {
      const { mailing, mail } = await stageOf(scene);
      const owner = await person(mailing);
      const spaceId = await newSpace(owner, 'Plans\r\nBcc: all@evil.example');
      await owner.call(renameUser, { body: { name: 'Ann\r\nBcc: all@evil.example' } });
      const found: string[] = [];
      for (const email of [
        'a@example.com\r\nBcc: b@evil.example',
        'a@example.com>\r\nRCPT TO:<b@evil.example',
        'a@example.com, b@evil.example',
        '"a\r\nBcc: b@evil.example"@example.com',
        '"a b"@example.com',
      ]) {
        const invited = await owner.call(inviteToSpace, {
          params: { spaceId },
          body: { emails: [email], role: 'viewer' },
        });
        const reset = await anyoneAt(mailing)(sendResetPasswordEmail, { body: { email } });
        found.push(
          ...unless(invited.status === 400, `an invitation of ${JSON.stringify(email)} answered ${invited.status}`),
          ...unless(reset.status === 400, `a link for ${JSON.stringify(email)} answered ${reset.status}`),
        );
      }
      await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: ['plain@example.com'], role: 'viewer' } });
      const message = await mail.newestTo('plain@example.com');
      return [...found, ...unless(!/^bcc:|evil\.example/im.test(message), message)];
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
