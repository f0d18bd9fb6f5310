// Spaces, bases and people in them, for tests whose subject is something else. Made over HTTP, so that
// whatever stands is what the API makes.
import { createBase } from '@rowhouse/contract/base.ts';
import { addBaseCollaborators, addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { type Person, person } from './people.ts';
import type { World } from './world.ts';

const must = (outcome: { status: number; error: unknown }): void => {
  if (outcome.status >= 300) throw new Error(`set-up failed: ${JSON.stringify(outcome.error)}`);
};

/** The id of a new space that the person owns. */
export const newSpace = async (owner: Person, name?: string): Promise<string> => {
  const made = await owner.call(createSpace, { body: name === undefined ? {} : { name } });
  must(made);
  return made.body.id;
};

export const newBase = async (maker: Person, spaceId: string, name?: string): Promise<string> => {
  const made = await maker.call(createBase, { body: name === undefined ? { spaceId } : { spaceId, name } });
  must(made);
  return made.body.id;
};

/** Gives someone a role on a space or, by its id, on a base. */
export const give = async (by: Person, placeId: string, to: Person, role: Role): Promise<void> => {
  const collaborators = [{ principalId: to.userId, principalType: 'user' as const }];
  if (placeId.startsWith('spc'))
    must(await by.call(addSpaceCollaborators, { params: { spaceId: placeId }, body: { collaborators, role } }));
  else
    must(
      await by.call(addBaseCollaborators, {
        params: { baseId: placeId },
        body: { collaborators, role: role as Exclude<Role, 'owner'> },
      }),
    );
};

/** A new person with a role on a space or base. */
export const member = async (world: World, by: Person, placeId: string, role: Role): Promise<Person> => {
  const someone = await person(world);
  await give(by, placeId, someone, role);
  return someone;
};
