// A base to work in, and tables in it, made over the API.
import { createTable, type FullTable, type NewTable } from '@rowhouse/contract/table.ts';
import { type Person, person } from './people.ts';
import { newBase, newSpace } from './workspace.ts';
import type { World } from './world.ts';

export interface Workshop {
  owner: Person;
  spaceId: string;
  baseId: string;
  /** A new table; three records, as always, unless `records` says otherwise. */
  table(given?: NewTable): Promise<FullTable>;
}

export const openWorkshop = async (world: World): Promise<Workshop> => {
  const owner = await person(world, { name: 'Owner' });
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  return {
    owner,
    spaceId,
    baseId,
    async table(given = {}) {
      const made = await owner.call(createTable, { params: { baseId }, body: given });
      if (made.status !== 201) throw new Error(`the table was not created: ${JSON.stringify(made.error)}`);
      return made.body;
    },
  };
};
