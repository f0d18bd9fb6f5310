// Secrets where others can read them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSpaceLink } from '@rowhouse/contract/invitation.ts';
import { searchDatabase } from '../../test/support/secret-check.ts';
import { person } from '../../test/support/people.ts';
import { newSpace } from '../../test/support/workspace.ts';
import { newDataFolder, serve } from '../program.ts';
import { type Attack, unless } from './attack.ts';

export const attacks: Attack[] = [
  {
    name: 'the journal of the service holds what the first start made',
    async run() {
      const data = newDataFolder();
      const server = await serve({ ROWHOUSE_DATA: data });
      const { password, token } = JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8')) as {
        password: string;
        token: string;
      };
      const said = server.output();
      server.kill('SIGTERM');
      await server.ended;
      return [
        ...unless(!said.includes(password), 'the password was printed'),
        ...unless(!said.includes(token), 'the token was printed'),
      ];
    },
  },
  {
    name: 'a copy of the database holds the codes of invitations',
    async run({ ground }) {
      const owner = await person(ground);
      const spaceId = await newSpace(owner);
      const { invitationCode } = (await owner.call(createSpaceLink, { params: { spaceId }, body: { role: 'owner' } }))
        .body;
      return searchDatabase(ground.databaseUrl, new Map([[invitationCode, 'the code']])).then(
        () => [],
        (error: Error) => [error.message],
      );
    },
  },
];
