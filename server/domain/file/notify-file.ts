// POST /attachments/notify/:token
import type { notifyFile as endpoint } from '@rowhouse/contract/attachment.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { Context, Environment } from '../../context.ts';
import { countUploaded } from './count-uploaded.ts';
import { type FileFacts, pathOf } from './file.ts';
import { noteFile, selectFile, selectSeenFiles } from './file.sql.ts';
import { imageForm, type ImageForm } from './image.ts';

const wrong = (message: string): Error =>
  invalid({ path: 'token', message: `Invalid token: ${message}`, expected: 'the token of a file that was uploaded' });

const unknown = (): Error => wrong('no file was announced under it');

/** Null: nobody can tell now, and the job `measure-pictures` looks again. The file itself is there all the same. */
const formNow = async (
  { files, backgroundErrors }: Pick<Environment, 'files' | 'backgroundErrors'>,
  file: FileFacts,
): Promise<ImageForm | undefined | null> => {
  try {
    return await imageForm(files.storage, file);
  } catch (error) {
    backgroundErrors.note('measuring a picture', error);
    return null;
  }
};

/** What the bytes are tells the storage: a process that was killed after the upload has written down nothing. */
export const acceptFile = async (
  context: Pick<Environment, 'db' | 'files' | 'backgroundErrors' | 'config' | 'plans' | 'now'>,
  token: string,
  name: string | undefined,
): Promise<FileFacts> => {
  const { db, files } = context;
  const file = await selectFile(db, token);
  if (file === undefined) throw unknown();
  if (file.isNotified) return file;
  if (!file.isUploaded) await countUploaded(context, file);
  await files.storage.direct?.take(token, file.size);
  if ((await files.storage.size(token)) !== file.size) throw wrong('its file was not uploaded yet');
  const form = await formNow(context, file);
  const noted = await noteFile(db, token, {
    size: file.size,
    name: name?.replaceAll('\0', '') ?? null,
    width: form?.width ?? null,
    height: form?.height ?? null,
    isUnmeasured: form === null,
  });
  if (noted === undefined) throw wrong('its file was removed');
  return noted;
};

/** What a cell needs, for somebody who may have the file. */
export const describeFile = ({ files }: Pick<Environment, 'files'>, facts: FileFacts): ResponseOf<typeof endpoint> => {
  const path = pathOf(facts);
  return {
    token: facts.token,
    size: facts.size,
    mimetype: facts.mimetype,
    path,
    url: files.addressOf(path),
    presignedUrl: files.urlOf(path),
    ...(facts.width === null || facts.height === null ? {} : { width: facts.width, height: facts.height }),
  };
};

/** The one who announced it tells that it is there. Afterwards it can be asked about by those who may have it. */
export const notifyFile = async (
  context: Context,
  token: string,
  name: string | undefined,
): Promise<ResponseOf<typeof endpoint>> => {
  const { db, principal } = context;
  const file = await selectFile(db, token);
  const isTheirs =
    file !== undefined &&
    (file.isNotified
      ? (await selectSeenFiles(db, [token], { principal })).length > 0
      : file.createdBy === principal.userId && file.jobId === null);
  if (!isTheirs) throw unknown();
  return describeFile(context, await acceptFile(context, token, name));
};
