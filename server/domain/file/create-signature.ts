// POST /attachments/signature
import { type createFileSignature as endpoint, fileTypes } from '@rowhouse/contract/attachment.ts';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { can, demand } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { demandContentType } from './content-type.ts';
import { insertFile } from './file.sql.ts';
import { demandAnnouncement } from './waiting-files.ts';

const dayLong = 86_400;

export const demandFileSize = (size: number, limit: number, path: string): void => {
  if (size > limit)
    throw invalid({
      path,
      message: `File size exceeds the maximum limit of ${Math.floor(limit / 1_048_576)} MB`,
      expected: `at most ${limit} bytes`,
    });
};

export const createSignature = async (
  context: Context,
  body: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const { contentLength, contentType, type, baseId, expiresIn = dayLong } = body;
  const { direct } = context.files.storage;
  const { userId } = context.principal;
  demandFileSize(contentLength, context.config.fileLimit, 'contentLength');
  demandContentType(contentType);
  const token = context.newId('att');
  const file = {
    token,
    type,
    size: contentLength,
    mimetype: contentType,
    name: null,
    createdBy: userId,
    // Nobody sees what is sent to the bucket directly: its address ends as soon as the file would.
    seconds: direct === undefined ? expiresIn : Math.min(expiresIn, context.config.waitingFileMinutes * 60),
    isDirect: direct !== undefined,
  };
  if (baseId === undefined) {
    await context.db.transaction(async (tx) => {
      await demandAnnouncement(tx, context, { userId, spaceId: null, viewId: null }, contentLength);
      await insertFile(tx, { ...file, spaceId: null });
    });
  } else {
    await context.db.transaction(async (tx) => {
      const stand = await demandAccess(tx, context, { type: 'base', id: baseId, trashed: false }, 'record|read');
      const { spaceId } = stand;
      const access = { ...context.access, ...stand };
      if (type === fileTypes.comment) demand(access, 'record|comment', baseId);
      else if (!can(access, 'record|create')) demand(access, 'record|update', baseId);
      await demandAnnouncement(tx, context, { userId, spaceId, viewId: null }, contentLength);
      await insertFile(tx, { ...file, spaceId });
    });
  }
  return {
    url:
      direct?.uploadUrl(token, contentLength, contentType, file.seconds) ??
      `${context.publicUrl()}/api/attachments/upload/${token}`,
    uploadMethod: 'PUT',
    token,
    path: `table/${token}`,
    requestHeaders: { 'Content-Type': contentType, 'Content-Length': contentLength },
  };
};
