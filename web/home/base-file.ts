// A whole base as a file, and a base from a file.
import { exportBase, importBase } from '@rowhouse/contract/base-file.ts';
import { awaitJob } from '../app/await-job.ts';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { uploadOne } from '../field-type/attachment/uploads.ts';
import { showProblem, showToast } from '../ui/toast.ts';

export const saveBase = async ({ id, name }: { id: string; name: string }): Promise<void> => {
  try {
    showToast({ kind: 'note', title: `The file of ${name} is being made; the download begins by itself.` });
    let jobId = '';
    await call(exportBase, {
      params: { baseId: id },
      query: {},
      onHeaders: (headers) => (jobId = headers.get('x-job-id') ?? ''),
    });
    const { url, name: fileName } = await awaitJob<{ url: string; name: string }>(jobId);
    const { pathname, search } = new URL(url);
    const link = document.createElement('a');
    link.href = pathname + search;
    link.download = fileName;
    link.click();
  } catch (error) {
    showProblem(error, `${name} was not exported.`);
  }
};

const chooseFile = (): Promise<File> =>
  new Promise((chosen) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      if (file !== undefined) chosen(file);
    });
    input.click();
  });

/** Answers the id of the base; undefined when it was cancelled. */
export const openBaseFile = async (spaceId: string): Promise<string | undefined> => {
  const file = await chooseFile();
  const uploaded = await uploadOne(file, undefined);
  if (uploaded === undefined) return undefined;
  showToast({ kind: 'note', title: `${file.name} is being imported.` });
  let jobId = '';
  const { base } = await call(importBase, {
    body: { notify: { token: uploaded.token ?? '' }, spaceId },
    onHeaders: (headers) => (jobId = headers.get('x-job-id') ?? ''),
  });
  await awaitJob(jobId);
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ['spaces', 'bases'].includes(String(queryKey[0])),
  });
  return base.id;
};
