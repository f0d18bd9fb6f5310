import { destroyBase as destroyBaseEndpoint } from '@rowhouse/contract/base.ts';
import { destroySpace as destroySpaceEndpoint } from '@rowhouse/contract/space.ts';
import * as contract from '@rowhouse/contract/trash.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { deleteTrashItem } from './delete-trash-item.ts';
import { destroyBase } from './destroy-base.ts';
import { destroySpace } from './destroy-space.ts';
import { listTrash } from './list-trash.ts';
import { listTrashItems } from './list-trash-items.ts';
import { resetTrashItems } from './reset-trash-items.ts';
import { restoreTrash } from './restore-trash.ts';

export const trashRoutes: Route[] = [
  route(contract.listTrash, (context, { query }) => listTrash(context, query)),
  route(contract.listTrashItems, (context, { query }) => listTrashItems(context, query)),
  route(contract.restoreTrash, (context, { params }) => restoreTrash(context, params.trashId)),
  route(contract.resetTrashItems, (context, { query }) => resetTrashItems(context, query)),
  route(contract.deleteTrashItem, (context, { params }) => deleteTrashItem(context, params.trashId)),
  route(destroyBaseEndpoint, (context, { params }) => destroyBase(context, params.baseId)),
  route(destroySpaceEndpoint, (context, { params }) => destroySpace(context, params.spaceId)),
];
