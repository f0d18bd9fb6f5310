// Names in e-mails: they stand in the subject and the text, and make no header of their own.
import { addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MailServer } from '../../test/support/mail-server.ts';
import { person } from '../../test/support/people.ts';
import { newSpace } from '../../test/support/workspace.ts';
import type { World } from '../../test/support/world.ts';

const headerNames = new Set([
  'from',
  'to',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
]);

const headersOf = (email: string): string[] =>
  email
    .slice(0, email.indexOf('\n\n'))
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase());

export const tryEmails = async (
  world: World,
  mail: MailServer,
  texts: readonly string[],
): Promise<{ emails: number; failures: string[] }> => {
  const failures: string[] = [];
  for (const text of texts) {
    const inviter = await person(world, { name: text });
    const invited = await person(world, { name: text });
    const spaceId = await newSpace(inviter, text);
    const { status } = await inviter.call(addSpaceCollaborators, {
      params: { spaceId },
      body: { collaborators: [{ principalId: invited.userId, principalType: 'user' }], role: 'viewer' },
    });
    if (status >= 300) failures.push(`${JSON.stringify(text)} cannot invite: ${status}`);
  }
  for (let waited = 0; mail.emails.length < texts.length && waited < 300; waited += 1) await sleep(100);
  if (mail.emails.length < texts.length) failures.push(`only ${mail.emails.length} of ${texts.length} emails came`);
  for (const email of mail.emails) {
    const names = headersOf(email);
    const strange = names.filter((name) => !headerNames.has(name));
    if (strange.length > 0 || new Set(names).size !== names.length)
      failures.push(`a email with the headers ${names.join()}: ${email.slice(0, 500)}`);
  }
  return { emails: mail.emails.length, failures };
};
