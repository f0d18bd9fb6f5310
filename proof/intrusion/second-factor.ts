// Getting around the second factor.
import { signIn } from '@rowhouse/contract/auth.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  setSpaceSecondFactor,
  signInWithSecondFactor,
} from '@rowhouse/contract/second-factor.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { stepAt, totpCode } from '../../server/domain/user/totp.ts';
import { caller } from '../../test/support/caller.ts';
import { type Person, person } from '../../test/support/people.ts';
import { member, newBase, newSpace } from '../../test/support/workspace.ts';
import type { Ground } from '../ground.ts';
import { type Attack, unless } from './attack.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const codeOf = (secret: string, later: number): string => {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return totpCode(
    Buffer.from((bits.match(/.{8}/g) as string[]).map((byte) => Number.parseInt(byte, 2))),
    stepAt(new Date()) + later,
  );
};

/** Answers the secret of the app. */
const setUp = async ({ call, password }: Person): Promise<string> => {
  const { secret } = (await call(beginSecondFactor, { body: { password } })).body;
  await call(confirmSecondFactor, { body: { code: codeOf(secret, -1) } });
  return secret;
};

const tokenFor = async ({ baseUrl }: Ground, { email, password }: Person): Promise<string> =>
  (await caller({ baseUrl })(signIn, { body: { email, password } })).error.data?.secondFactorToken ?? '';

export const attacks: Attack[] = [
  {
    name: 'somebody who knows the password guesses codes, or uses one again that they saw',
    async run({ ground }) {
      const someone = await person(ground);
      const secret = await setUp(someone);
      const call = caller({ baseUrl: ground.baseUrl });
      const code = codeOf(secret, 0);
      const first = await call(signInWithSecondFactor, { body: { token: await tokenFor(ground, someone), code } });
      const again = await call(signInWithSecondFactor, { body: { token: await tokenFor(ground, someone), code } });
      const guesses: number[] = [];
      for (let guess = 0; guess < 20; guess += 1)
        guesses.push(
          (await call(signInWithSecondFactor, { body: { token: await tokenFor(ground, someone), code: 'abcdef' } }))
            .status,
        );
      return [
        ...unless(first.status === 200, `the right code answered ${first.status}`),
        ...unless(again.status === 400, `the same code once more answered ${again.status}`),
        ...unless(
          guesses.filter((status) => status === 400).length <= 10 && guesses.at(-1) === 429,
          `guesses were answered ${guesses.join()}`,
        ),
      ];
    },
  },
  {
    name: 'a member without a second factor reads a space that demands it with an old token',
    async run({ ground }) {
      const owner = await person(ground);
      const spaceId = await newSpace(owner);
      const tableId = (await owner.call(createTable, { params: { baseId: await newBase(owner, spaceId) }, body: {} }))
        .body.id;
      const editor = await member(ground, owner, spaceId, 'editor');
      const before = await editor.call(listRecords, { params: { tableId } });
      await setUp(owner);
      await owner.call(setSpaceSecondFactor, { params: { spaceId }, body: { isDemanded: true } });
      const after = await editor.call(listRecords, { params: { tableId } });
      return [
        ...unless(before.status === 200, `before: ${before.status}`),
        ...unless(after.status === 403, `after: ${after.status}`),
      ];
    },
  },
];
