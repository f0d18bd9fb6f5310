// Uploads a file and answers what a cell holds of it.
import { type Attachment, createFileSignature, fileTypes, notifyFile } from '@rowhouse/contract/attachment.ts';
import { createShareSignature, notifyShareFile } from '@rowhouse/contract/share.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { call } from '../../app/call.ts';

/** Tells how far the upload is, which `fetch` cannot. */
const send = (
  url: string,
  file: File,
  contentType: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((done, fail) => {
    // An event that is over is not told again.
    if (signal.aborted) return fail(new Error('Cancelled'));
    const request = new XMLHttpRequest();
    // The server itself is where the page is from, whatever it is called; a bucket is elsewhere.
    const { pathname } = new URL(url);
    request.open('PUT', pathname.startsWith('/api/attachments/upload/') ? pathname : url);
    request.setRequestHeader('Content-Type', contentType);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener('load', () =>
      request.status < 300 ? done() : fail(new Error(`The server refused the file (${request.status})`)),
    );
    request.addEventListener('error', () => fail(new Error('The connection was lost')));
    request.addEventListener('abort', () => fail(new Error('Cancelled')));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });

/** The page of a share has it in its address. */
const shareHere = (): string | undefined => /^\/share\/(shr[0-9A-Za-z]{16})\b/.exec(window.location.pathname)?.[1];

export const uploadFile = async (
  file: File,
  baseId: string | undefined,
  onProgress: (share: number) => void,
  signal: AbortSignal,
  purpose: keyof typeof fileTypes = 'table',
): Promise<Attachment> => {
  const contentType = file.type === '' ? 'application/octet-stream' : file.type;
  const shareId = shareHere();
  if (shareId !== undefined) {
    const signed = await call(createShareSignature, {
      params: { shareId },
      body: { contentType, contentLength: file.size },
      signal,
    });
    await send(signed.url, file, contentType, onProgress, signal);
    return {
      id: newId('act'),
      name: file.name,
      ...(await call(notifyShareFile, {
        params: { shareId, token: signed.token },
        query: { filename: file.name },
        signal,
      })),
    };
  }
  const { url, token } = await call(createFileSignature, {
    body: {
      contentType,
      contentLength: file.size,
      type: fileTypes[purpose],
      ...(baseId === undefined ? {} : { baseId }),
    },
    signal,
  });
  await send(url, file, contentType, onProgress, signal);
  const told = await call(notifyFile, { params: { token }, query: { filename: file.name }, signal });
  return { id: newId('act'), name: file.name, ...told };
};
