// The first part of a form (multipart/form-data) that is a file, or an address of one. What follows it is not read.
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { Readable } from 'node:stream';
import { invalid } from '@rowhouse/contract/error.ts';

type FormPart = { file: { body: AsyncIterable<Buffer>; name: string; mimetype: string } } | { url: string };

const longestUrl = 10_000;

/** `fileKey` and `urlKey` are the names of the parts. */
export const readForm = (
  body: AsyncIterable<Buffer>,
  contentType: string | undefined,
  fileKey: string,
  urlKey: string,
): Promise<FormPart> => {
  const neither = (): Error =>
    invalid({
      path: '',
      message: `The form has neither a file in the part ${fileKey} nor an address in the part ${urlKey}`,
      expected: 'one of the two',
    });
  return new Promise((done, fail) => {
    let form: InstanceType<typeof Busboy>;
    try {
      form = new Busboy({
        headers: { 'content-type': contentType } as BusboyHeaders,
        limits: { fieldSize: longestUrl, parts: 20 },
      });
    } catch {
      fail(
        invalid({
          path: 'headers.Content-Type',
          message: 'The form has no boundary',
          expected: 'multipart/form-data; boundary=…',
        }),
      );
      return;
    }
    form.on('file', (part, stream, name, _encoding, mimetype) => {
      if (part === fileKey) done({ file: { body: stream as AsyncIterable<Buffer>, name: name ?? 'file', mimetype } });
      else stream.resume();
    });
    form.on('field', (part, value) => {
      if (part === urlKey && typeof value === 'string') done({ url: value });
    });
    form.on('finish', () => fail(neither()));
    form.on('error', (error) =>
      fail(
        invalid({
          path: '',
          message: `The form could not be read: ${(error as Error).message}`,
          expected: 'multipart/form-data',
        }),
      ),
    );
    Readable.from(body, { objectMode: false })
      .on('error', (error) => form.destroy(error))
      .pipe(form);
  });
};
