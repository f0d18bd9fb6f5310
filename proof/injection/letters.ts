// Names in letters: they stand in the subject and the text, and make no header of their own.
import { addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MailServer } from '../../test/support/mail-server.ts';
import { person } from '../../test/support/people.ts';
import { newSpace } from '../../test/support/workspace.ts';
import type { World } from '../../test/support/world.ts';

const headerNames = new Set(['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type', 'content-transfer-encoding']);

const headersOf = (letter: string): string[] =>
  letter.slice(0, letter.indexOf('\n\n')).replaceAll(/\n[ \t]+/g, ' ').split('\n').map((line) => line.slice(0, line.indexOf(':')).toLowerCase());

export const tryLetters = async (world: World, mail: MailServer, texts: readonly string[]): Promise<{ letters: number; failures: string[] }> => {
  const failures: string[] = [];
  for (const text of texts) {
    const inviter = await person(world, { name: text });
    const invited = await person(world, { name: text });
    const spaceId = await newSpace(inviter, text);
    const { status } = await inviter.call(addSpaceCollaborators, { params: { spaceId }, body: { collaborators: [{ principalId: invited.userId, principalType: 'user' }], role: 'viewer' } });
    if (status >= 300) failures.push(`${JSON.stringify(text)} cannot invite: ${status}`);
  }
  for (let waited = 0; mail.letters.length < texts.length && waited < 300; waited += 1) await sleep(100);
  if (mail.letters.length < texts.length) failures.push(`only ${mail.letters.length} of ${texts.length} letters came`);
  for (const letter of mail.letters) {
    const names = headersOf(letter);
    const strange = names.filter((name) => !headerNames.has(name));
    if (strange.length > 0 || new Set(names).size !== names.length) failures.push(`a letter with the headers ${names.join()}: ${letter.slice(0, 500)}`);
  }
  return { letters: mail.letters.length, failures };
};
