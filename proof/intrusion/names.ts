// Reading what one knows the name of: tokens of files, ids of jobs, addresses of results, links of invitations.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { exportBase } from '@rowhouse/contract/base-file.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Person, person } from '../../test/support/people.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import { member } from '../../test/support/workspace.ts';
import { type Attack, unless } from './attack.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Files', type: 'attachment' },
];

/** The token of a file that stands in a cell, if one is wanted. */
const uploaded = async (table: TestTable, isUsed: boolean): Promise<string> => {
  const { url, token } = (
    await table.call(createFileSignature, {
      body: { contentType: 'text/plain', contentLength: 6, type: 1, baseId: table.baseId },
    })
  ).body;
  await (await fetch(url, { method: 'PUT', body: 'secret', headers: { 'content-type': 'text/plain' } })).text();
  await table.call(notifyFile, { params: { token }, query: {} });
  if (isUsed)
    await table.call(createRecords, {
      params: table,
      body: { records: [{ fields: { Files: [{ token, name: 'a' }] } }] },
    });
  return token;
};

const exported = async ({ call }: Person, baseId: string): Promise<{ jobId: string; url: string }> => {
  const jobId = (await call(exportBase, { params: { baseId }, query: {} })).headers.get('x-job-id') as string;
  for (;;) {
    const { state, result } = (await call(getJob, { params: { jobId } })).body;
    if (state === 'done') return { jobId, url: (result as { url: string }).url };
    if (state === 'failed') throw new Error('the export failed');
    await sleep(50);
  }
};

export const attacks: Attack[] = [
  {
    name: 'somebody who knows the token of a file asks for its address, or puts it into a cell of their own',
    async run({ ground }) {
      const table = await tableWith(await newGround(ground), fields);
      const stranger = await person(ground);
      const own = await tableWith(await newGround(ground, stranger), fields);
      const found: string[] = [];
      for (const isUsed of [true, false]) {
        const token = await uploaded(table, isUsed);
        const control = await table.call(notifyFile, { params: { token }, query: {} });
        const told = await stranger.call(notifyFile, { params: { token }, query: {} });
        const put = await stranger.call(createRecords, {
          params: own,
          body: { records: [{ fields: { Files: [{ token, name: 'a' }] } }] },
        });
        const narrow = await table.owner.withToken({ hasFullAccess: true, scopes: ['space|read'] });
        const scoped = isUsed
          ? await narrow.call(createRecords, {
              params: table,
              body: { records: [{ fields: { Files: [{ token, name: 'a' }] } }] },
            })
          : undefined;
        found.push(
          ...unless(control.status === 201, `its owner is answered ${control.status}`),
          ...unless(told.status === 400, `asking answered ${told.status}`),
          ...unless(put.status === 400, `a cell took it: ${put.status}`),
          ...unless(scoped === undefined || scoped.status === 403, `a token for spaces wrote: ${scoped?.status}`),
        );
      }
      return found;
    },
  },
  {
    name: 'a removed member goes on to download the export they made',
    async run({ ground }) {
      const { owner, spaceId, baseId } = await newGround(ground);
      const creator = await member(ground, owner, spaceId, 'creator');
      const { jobId, url } = await exported(creator, baseId);
      const control = (await fetch(url)).status;
      await owner.call(removeSpaceCollaborator, {
        params: { spaceId },
        query: { principalId: creator.userId, principalType: 'user' },
      });
      const [job, file] = [(await creator.call(getJob, { params: { jobId } })).status, (await fetch(url)).status];
      return [
        ...unless(control === 200, `before that it answered ${control}`),
        ...unless(job === 404 && file === 404, `the job answered ${job}, the file ${file}`),
      ];
    },
  },
];
