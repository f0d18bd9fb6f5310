// Files that visitors put into the form of a share.
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import type { createShareSignature as signature, notifyShareFile as notification } from '@rowhouse/contract/share.ts';
import type { PublicContext } from '../../context.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { demandContentType } from '../file/content-type.ts';
import { demandFileSize } from '../file/create-signature.ts';
import { insertFile } from '../file/file.sql.ts';
import { demandAnnouncement } from '../file/waiting-files.ts';
import { acceptFile, describeFile } from '../file/notify-file.ts';
import { networkOf } from '../user/limit-attempts.ts';
import { limitUses } from '../user/limit-uses.ts';
import { fileAddress } from './file-address.ts';
import { anonymousId, openShare } from './open-share.ts';
import { isVisitorsFile } from './share.sql.ts';
import { demandOpen } from './submit-share-form.ts';

const largestFile = 20 * 1_048_576;
const anHour = 3_600;
const filesPerAddress = { limit: 60, minutes: 10 };

export const createShareSignature = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  ip: string,
  body: BodyOf<typeof signature>,
): Promise<ResponseOf<typeof signature>> => {
  const open = await openShare(services, shareId, headers);
  demandOpen(open);
  const {
    view,
    share: { baseId, tableId, spaceId },
  } = open;
  const { byId } = await presentTable(services, baseId, tableId);
  const takesFiles = Object.entries(view.columnMeta).some(([id, column]) => {
    const field = byId.get(id);
    return column.visible === true && field !== undefined && fieldTypeOf(field).namesFiles === true;
  });
  if (!takesFiles) throw forbidden('This form takes no files');
  await limitUses(services.db, {
    key: ['form files', shareId, networkOf(ip)],
    ...filesPerAddress,
    message: 'Too many files from your address',
  });
  const { contentLength, contentType } = body;
  demandFileSize(contentLength, Math.min(services.config.fileLimit, largestFile), 'contentLength');
  demandContentType(contentType);
  const token = services.newId('att');
  await services.db.transaction(async (tx) => {
    await demandAnnouncement(tx, services, { userId: anonymousId, spaceId, viewId: open.share.viewId }, contentLength);
    await insertFile(tx, {
      token,
      type: 1,
      size: contentLength,
      mimetype: contentType,
      name: null,
      createdBy: anonymousId,
      seconds: anHour,
      spaceId,
      viewId: open.share.viewId,
    });
  });
  return {
    url: `${services.publicUrl()}/api/attachments/upload/${token}`,
    uploadMethod: 'PUT',
    token,
    path: `table/${token}`,
    requestHeaders: { 'Content-Type': contentType, 'Content-Length': contentLength },
  };
};

export const notifyShareFile = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  token: string,
  name: string | undefined,
): Promise<ResponseOf<typeof notification>> => {
  const { context, share, fileMark } = await openShare(services, shareId, headers);
  if (!(await isVisitorsFile(context.db, token, share.viewId)))
    throw invalid({
      path: 'token',
      message: 'Invalid token: no file was announced under it for a form',
      expected: 'what signature gave',
    });
  const noted = describeFile(context, await acceptFile(context, token, name));
  const url = fileAddress(context, shareId, fileMark(), noted.path);
  return { ...noted, url, presignedUrl: context.publicUrl() + url };
};
