// POST /attachments/notify/:token
import type { notifyFile as endpoint } from '@rowhouse/contract/attachment.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { Environment } from '../../context.ts';
import { type FileFacts, pathOf } from './file.ts';
import { noteFile, selectFile } from './file.sql.ts';
import { imageForm, type ImageForm } from './image.ts';

const wrong = (message: string): Error => invalid({ path: 'token', message: `Invalid token: ${message}`, expected: 'the token of a file that was uploaded' });

/** Null: nobody can tell now, and the job `measure-pictures` looks again. The file itself is there all the same. */
const formNow = async ({ files, backgroundErrors }: Pick<Environment, 'files' | 'backgroundErrors'>, file: FileFacts): Promise<ImageForm | undefined | null> => {
  try {
    return await imageForm(files.storage, file);
  } catch (error) {
    backgroundErrors.note('measuring a picture', error);
    return null;
  }
};

/** What the bytes are tells the storage: a process that was killed after the upload has written down nothing. */
export const acceptFile = async (context: Pick<Environment, 'db' | 'files' | 'backgroundErrors'>, token: string, name: string | undefined): Promise<FileFacts> => {
  const { db, files } = context;
  const file = await selectFile(db, token);
  if (file === undefined) throw wrong('no file was announced under it');
  if (file.isNotified) return file;
  await files.storage.direct?.take(token, file.size);
  if ((await files.storage.size(token)) !== file.size) throw wrong('its file was not uploaded yet');
  const form = await formNow(context, file);
  const noted = await noteFile(db, token, { size: file.size, name: name?.replaceAll('\0', '') ?? null, width: form?.width ?? null, height: form?.height ?? null, isUnmeasured: form === null });
  if (noted === undefined) throw wrong('its file was removed');
  return noted;
};

export const notifyFile = async (context: Environment, token: string, name: string | undefined): Promise<ResponseOf<typeof endpoint>> => {
  const facts = await acceptFile(context, token, name);
  const path = pathOf(facts);
  return {
    token,
    size: facts.size,
    mimetype: facts.mimetype,
    path,
    url: context.files.addressOf(path),
    presignedUrl: context.files.urlOf(path),
    ...(facts.width === null || facts.height === null ? {} : { width: facts.width, height: facts.height }),
  };
};
