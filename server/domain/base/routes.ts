import * as contract from '@rowhouse/contract/base.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { createBase } from './create-base.ts';
import { deleteBase } from './delete-base.ts';
import { getBase, getBasePermission } from './get-base.ts';
import { listBases, listSharedBases, listSpaceBases } from './list-bases.ts';
import { moveBase } from './move-base.ts';
import { updateBase } from './update-base.ts';
import { updateBaseOrder } from './update-base-order.ts';

export const baseRoutes: Route[] = [
  route(contract.createBase, (context, { body }) => createBase(context, body)),
  route(contract.listSpaceBases, (context, { params }) => listSpaceBases(context, params.spaceId)),
  route(contract.listBases, (context) => listBases(context)),
  route(contract.listSharedBases, (context) => listSharedBases(context)),
  route(contract.getBase, (context, { params }) => getBase(context, params.baseId)),
  route(contract.getBasePermission, (context) => getBasePermission(context)),
  route(contract.updateBase, (context, { params, body }) => updateBase(context, params.baseId, body)),
  route(contract.updateBaseOrder, (context, { params, body }) => updateBaseOrder(context, params.baseId, body)),
  route(contract.moveBase, (context, { params, body }) => moveBase(context, params.baseId, body)),
  route(contract.deleteBase, (context, { params }) => deleteBase(context, params.baseId)),
];
