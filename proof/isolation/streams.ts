// Streams: a tenant listens while another one writes. What is heard is its own.
import { updateRecord } from '@rowhouse/contract/record.ts';
import { addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { unknown } from '../../test/support/access-tenant.ts';
import { listen } from '../../test/support/listen.ts';
import { person } from '../../test/support/people.ts';
import { newSpace } from '../../test/support/workspace.ts';
import type { World } from '../../test/support/world.ts';
import type { Estate } from '../estate.ts';
import { leakIn } from './leaks.ts';

const write = async ({ owner, things: { tableId, recordId, textFieldId } }: Estate, text: string): Promise<void> => {
  const { status } = await owner.call(updateRecord, {
    params: { tableId, recordId },
    body: { fieldKeyType: 'id', record: { fields: { [textFieldId]: text } } },
  });
  if (status !== 200) throw new Error(`a tenant cannot write its own record: ${status}`);
};

/** Brings both tenants news of their own. */
const tell = async (world: World, { owner, mark }: Estate): Promise<void> => {
  const inviter = await person(world, { name: `${mark} inviter` });
  const spaceId = await newSpace(inviter, `${mark} invitation`);
  await inviter.call(addSpaceCollaborators, {
    params: { spaceId },
    body: { collaborators: [{ principalId: owner.userId, principalType: 'user' }], role: 'viewer' },
  });
};

export const tryStreams = async (
  world: World,
  mine: Estate,
  theirs: Estate,
): Promise<{ failures: string[]; heard: number }> => {
  const failures: string[] = [];
  const { token } = mine.owner;
  const table = (id: string): string => `${world.baseUrl}/table/${id}/events?values=true`;
  const [foreign, absent] = [
    await listen(table(theirs.things.tableId), { token }),
    await listen(table(unknown(theirs.things.tableId)), { token }),
  ];
  if (foreign.status !== 404 || absent.status !== 404)
    failures.push(`the stream of a table of another answers ${foreign.status}, that of none ${absent.status}`);
  const theirEar = await listen(table(theirs.things.tableId), { token: theirs.owner.token });
  const ears = [
    await listen(table(mine.things.tableId), { token }),
    await listen(`${world.baseUrl}/notifications/events`, { token }),
    // Going on behind an event of the other one, or of nobody.
    await listen(table(mine.things.tableId), { token, lastEventId: 1 }),
    await listen(`${world.baseUrl}/notifications/events`, { token, lastEventId: newId('not') }),
  ];
  for (let turn = 1; turn <= 20; turn += 1) {
    await write(theirs, `${theirs.mark} turn ${turn}`);
    await write(mine, `${mine.mark} turn ${turn}`);
  }
  await tell(world, theirs);
  await tell(world, mine);
  await theirEar.until(({ data }) => JSON.stringify(data).includes(`${theirs.mark} turn 20`));
  await ears[0]?.until(({ data }) => JSON.stringify(data).includes(`${mine.mark} turn 20`));
  await ears[1]?.until(({ name }) => name === 'notification.created');
  const heard = ears.flatMap((ear) => ear.heard);
  for (const event of heard) {
    const leak = leakIn(JSON.stringify(event), '', theirs);
    if (leak !== undefined)
      failures.push(`a stream of one tenant told ${leak} of another: ${JSON.stringify(event).slice(0, 300)}`);
  }
  for (const ear of [...ears, theirEar, foreign, absent]) ear.close();
  return { failures, heard: heard.length };
};
