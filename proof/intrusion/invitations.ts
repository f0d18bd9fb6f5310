// Getting in, or back in, through an invitation.
import { removeSpaceCollaborator, updateSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { acceptInvitation, createSpaceLink, inviteToSpace } from '@rowhouse/contract/invitation.ts';
import { type Person, person } from '../../test/support/people.ts';
import { member, newSpace } from '../../test/support/workspace.ts';
import type { World } from '../../test/support/world.ts';
import { type Attack, unless } from './attack.ts';
import { elsewhereOf } from './elsewhere.ts';

/** A space, a creator of it, and a link that the creator has made. */
const linkOfCreator = async (world: World) => {
  const owner = await person(world);
  const spaceId = await newSpace(owner);
  const creator = await member(world, owner, spaceId, 'creator');
  const { invitationId, invitationCode } = (
    await creator.call(createSpaceLink, { params: { spaceId }, body: { role: 'creator' } })
  ).body;
  const accept = async (who: Person): Promise<number> =>
    (await who.call(acceptInvitation, { body: { invitationId, invitationCode } })).status;
  return { owner, spaceId, creator, accept };
};

export const attacks: Attack[] = [
  {
    name: 'anyone who signs up first with an invited address is in, as owner',
    async run(scene) {
      const { ground } = scene;
      const found: string[] = [];
      for (const place of [ground, (await elsewhereOf(scene)).ground]) {
        const owner = await person(place);
        const spaceId = await newSpace(owner);
        const email = `invited-${spaceId.toLowerCase()}@example.com`;
        await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [email], role: 'owner' } });
        const answer = await fetch(`${place.baseUrl}/auth/signup`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password: 'correct horse 1' }),
        });
        await answer.text();
        const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
        const seen = await fetch(`${place.baseUrl}/space/${spaceId}`, { headers: { cookie } });
        await seen.text();
        found.push(
          ...unless(answer.status === (place === ground ? 201 : 403), `signing up answered ${answer.status}`),
          ...unless(seen.status === (place === ground ? 404 : 401), `the space answered ${seen.status}`),
        );
      }
      return found;
    },
  },
  {
    name: 'anyone who was removed comes back through the link they made',
    async run({ ground }) {
      const { owner, spaceId, creator, accept } = await linkOfCreator(ground);
      await owner.call(removeSpaceCollaborator, {
        params: { spaceId },
        query: { principalId: creator.userId, principalType: 'user' },
      });
      return unless((await accept(creator)) === 404, 'the removed creator is in again');
    },
  },
  {
    name: 'anyone who was demoted comes back through the link they made',
    async run({ ground }) {
      const { owner, spaceId, creator, accept } = await linkOfCreator(ground);
      await owner.call(updateSpaceCollaborator, {
        params: { spaceId },
        body: { userId: creator.userId, role: 'viewer' },
      });
      const second = await person(ground);
      return [
        ...unless((await accept(creator)) === 404, 'the viewer is creator again'),
        ...unless((await accept(second)) === 404, 'a second self of the viewer is creator'),
      ];
    },
  },
];
