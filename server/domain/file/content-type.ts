// Types of files as people and other servers name them. They become headers: a control character in one would fail every read.
import { invalid } from '@rowhouse/contract/error.ts';

const form = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+([ \t]*;[\t\x20-\x7e]*)?$/;

export const isContentType = (text: string): boolean => form.test(text);

export const demandContentType = (text: string): void => {
  if (!isContentType(text))
    throw invalid({
      path: 'contentType',
      message: `${JSON.stringify(text.slice(0, 100))} is not a content type`,
      expected: 'a content type such as image/png',
    });
};

export const unknownType = 'application/octet-stream';

/** For a header. Rows from before this check, and base files from elsewhere, may hold what cannot be sent. */
export const servedType = (stored: string): string => (isContentType(stored) ? stored : unknownType);
