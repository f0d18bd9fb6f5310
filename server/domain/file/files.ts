// Addresses of files. They are signed, are the same for everybody and for three days at least, and expire after six at
// most. Cells hold none of them: `show` adds them to the text of every answer that mentions files, when it is sent.
import { timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { SecretKey } from '../../secret-key.ts';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import type { Files, Storage } from '../../stored-files.ts';

/** In seconds. */
const period = 259_200;

/** The form of `pathOf`, as a value of the key `path`. Quotes inside of texts are escaped, so no text looks like it. */
const mention = /"path": ?"(table\/att[0-9A-Za-z]{21}(\.image)?)"/g;
export const mentionsIn = (text: string): string[] =>
  [...text.matchAll(mention)].map(([, path]) => tokenIn(path as string));

/** Without it there is nothing to show. */
export const fileMark = '"table/att';
export const tokenIn = (path: string): string => (path.split('/').at(-1) as string).replace('.image', '');

interface Parts {
  config: Pick<Config, 'filesFolder' | 's3Url' | 's3PublicUrl'>;
  secretKey: Pick<SecretKey, 'derive'>;
  publicUrl: () => string;
  now: () => Date;
}

export const createStorage = ({ filesFolder, s3Url, s3PublicUrl }: Parts['config']): Storage =>
  s3Url === null ? createFolderStorage(filesFolder) : createS3Storage(s3Url, s3PublicUrl);

export const createFiles = ({ config, secretKey, publicUrl, now }: Parts): Files => {
  const signatureOf = (token: string, end: number): string =>
    `${end.toString(36)}.${secretKey.derive('file', token, String(end)).slice(0, 32)}`;
  const periodNow = (): number => Math.floor(now().getTime() / 1_000 / period);
  const addressOf = (path: string): string =>
    `/api/attachments/read/private/${path}?token=${signatureOf(tokenIn(path), periodNow() + 2)}`;
  const urlOf = (path: string): string => publicUrl() + addressOf(path);
  return {
    storage: createStorage(config),
    addressOf,
    urlOf,
    isSigned(token, signature) {
      const end = Number.parseInt(signature.split('.')[0] as string, 36);
      if (!(end > periodNow() && end <= periodNow() + 2)) return false;
      const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(token, end))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
    show(text, isShown, addressed = urlOf) {
      if (!text.includes(fileMark)) return text;
      return text.replace(mention, (whole, path: string, image: string | undefined) => {
        if (isShown?.(tokenIn(path)) === false) return whole;
        const url = addressed(path);
        const thumbnails =
          image === undefined
            ? ''
            : `,"smThumbnailUrl":"${url}&size=sm","lgThumbnailUrl":"${url}&size=lg","smThumbnailPath":"${path}_sm","lgThumbnailPath":"${path}_lg"`;
        return `${whole},"presignedUrl":"${url}"${thumbnails}`;
      });
    },
  };
};
