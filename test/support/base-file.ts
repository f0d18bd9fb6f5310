// A base as a file, over the API: exported, uploaded, imported.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { exportBase, importBase } from '@rowhouse/contract/base-file.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { expect, vi } from 'vitest';
import type { Caller } from './caller.ts';

interface Who {
  call: Caller;
}

export const upload = async (
  { call }: Who,
  bytes: Buffer,
  contentType = 'application/x-tar',
  filename = 'base.rowhouse',
) => {
  const { body: signed } = await call(createFileSignature, {
    body: { contentType, contentLength: bytes.length, type: 5 },
  });
  expect(
    (await fetch(signed.url, { method: 'PUT', body: bytes as never, headers: { 'content-type': contentType } })).status,
  ).toBe(200);
  return (await call(notifyFile, { params: { token: signed.token }, query: { filename } })).body;
};

export const exportToFile = async ({ call }: Who, baseId: string, history?: boolean): Promise<Buffer> => {
  const answer = await call(exportBase, { params: { baseId }, query: history === undefined ? {} : { history } });
  expect(answer.status).toBe(200);
  const jobId = answer.headers.get('x-job-id') as string;
  const { url, size } = await vi.waitFor(
    async () => {
      const { body } = await call(getJob, { params: { jobId } });
      expect(body).toMatchObject({ state: 'done' });
      return body.result as { url: string; size: number };
    },
    { timeout: 50_000, interval: 20 },
  );
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(bytes.length).toBe(size);
  return bytes;
};

/** Answers the id of the new base, once it is there. */
export const importFromFile = async (who: Who, spaceId: string, bytes: Buffer): Promise<string> => {
  const { body, status, error } = await who.call(importBase, {
    body: { notify: await upload(who, bytes), spaceId } as never,
  });
  expect([status, error?.message]).toEqual([201, undefined]);
  return body.base.id;
};

/** What the stream tells, event by event. */
export const importStreamOf = async (
  origin: string,
  who: Who & { token: string },
  spaceId: string,
  bytes: Buffer,
): Promise<{ type: string; data?: { base: { id: string } }; message?: string }[]> => {
  const answer = await fetch(`${origin}/api/base/import-stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ notify: await upload(who, bytes), spaceId }),
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  return (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
};
