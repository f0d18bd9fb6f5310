// Carrying off, or deleting for good, what one was let into.
import { deleteBase, destroyBase, getBase, moveBase } from '@rowhouse/contract/base.ts';
import { listTrash } from '@rowhouse/contract/trash.ts';
import { person } from '../../test/support/people.ts';
import { member, newBase, newSpace } from '../../test/support/workspace.ts';
import { type Attack, unless } from './attack.ts';

export const attacks: Attack[] = [
  {
    name: 'a creator of the space moves a base into a space of their own',
    async run({ ground }) {
      const owner = await person(ground);
      const spaceId = await newSpace(owner);
      const baseId = await newBase(owner, spaceId);
      const creator = await member(ground, owner, spaceId, 'creator');
      const { status } = await creator.call(moveBase, {
        params: { baseId },
        body: { spaceId: await newSpace(creator) },
      });
      const there = (await owner.call(getBase, { params: { baseId } })).status;
      return [
        ...unless(status === 403, `moving answered ${status}`),
        ...unless(there === 200, 'the owner does not find the base any more'),
      ];
    },
  },
  {
    name: 'a guest of a base with the role creator deletes it for good',
    async run({ ground }) {
      const owner = await person(ground);
      const baseId = await newBase(owner, await newSpace(owner));
      const guest = await member(ground, owner, baseId, 'creator');
      const params = { baseId };
      const first = (await guest.call(destroyBase, { params })).status;
      await guest.call(deleteBase, { params });
      const second = (await guest.call(destroyBase, { params })).status;
      const trash = (await owner.call(listTrash, { query: { resourceType: 'base' } })).body.trashItems;
      return [
        ...unless(first === 403 && second === 403, `deleting for good answered ${first}, from the trash ${second}`),
        ...unless(
          trash.some(({ resourceId }) => resourceId === baseId),
          'the owner does not find it in the trash',
        ),
      ];
    },
  },
];
