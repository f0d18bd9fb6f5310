import * as contract from '@rowhouse/contract/attachment.ts';
import { updateLogo as updateLogoEndpoint } from '@rowhouse/contract/setting.ts';
import { deleteAvatar as deleteAvatarEndpoint, updateAvatar as updateAvatarEndpoint } from '@rowhouse/contract/user.ts';
import { route, type Route } from '../../endpoint/route.ts';
import { createSignature } from './create-signature.ts';
import { notifyFile } from './notify-file.ts';
import { readAttachment } from './read-file.ts';
import { deleteAvatar, updateAvatar } from './update-avatar.ts';
import { updateLogo } from './update-logo.ts';
import { uploadFile } from './upload-file.ts';

export const fileRoutes: Route[] = [
  route(contract.createFileSignature, (context, { body }) => createSignature(context, body)),
  route(contract.uploadFile, (context, { params, body, headers }) => uploadFile(context, params.token, body, headers)),
  route(contract.uploadFileByPost, (context, { params, body, headers }) =>
    uploadFile(context, params.token, body, headers),
  ),
  route(contract.notifyFile, (context, { params, query }) => notifyFile(context, params.token, query.filename)),
  route(contract.readAttachment, (context, { params, query, headers }) =>
    readAttachment(context, params, query, headers),
  ),
  route(updateAvatarEndpoint, (context, { body, headers }) => updateAvatar(context, body, headers)),
  route(deleteAvatarEndpoint, (context) => deleteAvatar(context)),
  route(updateLogoEndpoint, (context, { body, headers }) => updateLogo(context, body, headers)),
];
