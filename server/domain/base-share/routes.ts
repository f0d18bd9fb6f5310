import * as contract from '@rowhouse/contract/base-share.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { enterShare } from '../share/auth-share.ts';
import {
  createBaseShare,
  deleteBaseShare,
  findNodeShare,
  listBaseShares,
  refreshBaseShare,
  updateBaseShare,
} from './change-base-share.ts';
import { copySharedBase } from './copy-shared-base.ts';
import { getSharedBase } from './get-shared-base.ts';
import { listSpaceBaseShares } from './list-space-base-shares.ts';
import { findBaseShare } from './visit.ts';

export const baseShareRoutes: Route[] = [
  route(contract.createBaseShare, (context, { params, body }) => createBaseShare(context, params.baseId, body)),
  route(contract.listBaseShares, (context, { params }) => listBaseShares(context, params.baseId)),
  route(contract.listSpaceBaseShares, (context, { params }) => listSpaceBaseShares(context, params.spaceId)),
  route(contract.getWholeShare, (context, { params }) => findNodeShare(context, params.baseId, null)),
  route(contract.getNodeShare, (context, { params }) => findNodeShare(context, params.baseId, params.nodeId)),
  route(contract.updateBaseShare, (context, { params, body }) => updateBaseShare(context, params, body)),
  route(contract.deleteBaseShare, (context, { params }) => deleteBaseShare(context, params)),
  route(contract.refreshBaseShare, (context, { params }) => refreshBaseShare(context, params)),
  route(contract.getSharedBase, (context, { params, headers }) => getSharedBase(context, params.shareId, headers)),
  route(contract.enterSharedBase, async (context, { params, body, ip }) =>
    enterShare(context, { ...(await findBaseShare(context, params.shareId)), path: '/api' }, body.password, ip),
  ),
  route(contract.copySharedBase, (context, { params, headers, body }) =>
    copySharedBase(context, params.shareId, headers, body),
  ),
];
