import * as contract from '@rowhouse/contract/attachment.ts';
import { route, type Route } from '../../endpoint/route.ts';
import { createSignature } from './create-signature.ts';
import { notifyFile } from './notify-file.ts';
import { readAttachment } from './read-file.ts';
import { uploadFile } from './upload-file.ts';

export const fileRoutes: Route[] = [
  route(contract.createFileSignature, (context, { body }) => createSignature(context, body)),
  route(contract.uploadFile, (context, { params, body, headers }) => uploadFile(context, params.token, body, headers)),
  route(contract.uploadFileByPost, (context, { params, body, headers }) => uploadFile(context, params.token, body, headers)),
  route(contract.notifyFile, (context, { params, query }) => notifyFile(context, params.token, query.filename)),
  route(contract.readAttachment, (context, { params, query, headers }) => readAttachment(context, params, query, headers)),
];
