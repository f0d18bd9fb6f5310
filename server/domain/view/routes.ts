import * as contract from '@rowhouse/contract/view.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { createView } from './create-view.ts';
import { deleteView } from './delete-view.ts';
import {
  describeView,
  renameView,
  setViewColumns,
  setViewFilter,
  setViewGroup,
  setViewOptions,
  setViewSort,
} from './set-view-parts.ts';
import { getView, listViews } from './read-views.ts';
import { lockView } from './lock-view.ts';
import { makeViewPersonal } from './personal-view.ts';
import { moveView } from './move-view.ts';
import { setOwnQuery } from './own-query.ts';

export const viewRoutes: Route[] = [
  route(contract.createView, (context, { params, body }) => createView(context, params.tableId, body)),
  route(contract.listViews, (context, { params }) => listViews(context, params.tableId)),
  route(contract.getView, (context, { params }) => getView(context, params.tableId, params.viewId)),
  route(contract.deleteView, (context, { params }) => deleteView(context, params)),
  route(contract.renameView, (context, { params, body }) => renameView(context, params, body.name)),
  route(contract.describeView, (context, { params, body }) => describeView(context, params, body.description)),
  route(contract.setViewFilter, (context, { params, body }) =>
    setViewFilter(context, params, body.filter, body.before),
  ),
  route(contract.setViewSort, (context, { params, body }) => setViewSort(context, params, body.sort, body.before)),
  route(contract.setViewGroup, (context, { params, body }) => setViewGroup(context, params, body.group, body.before)),
  route(contract.setViewColumns, (context, { params, body }) => setViewColumns(context, params, body)),
  route(contract.setViewOptions, (context, { params, body }) =>
    setViewOptions(context, params, body.options, body.before),
  ),
  route(contract.moveView, (context, { params, body }) => moveView(context, params, body)),
  route(contract.setOwnQuery, (context, { params, body }) => setOwnQuery(context, params, body.query)),
  route(contract.makeViewPersonal, (context, { params, body }) => makeViewPersonal(context, params, body.isPersonal)),
  route(contract.lockView, (context, { params, body }) => lockView(context, params, body.isLocked ?? false)),
];
