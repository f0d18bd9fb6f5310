import * as contract from '@rowhouse/contract/group.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { addGroupMembers, removeGroupMembers } from './change-members.ts';
import { createGroup } from './create-group.ts';
import { deleteGroup } from './delete-group.ts';
import { listDepartments, listDepartmentUsers, listGroups } from './list-groups.ts';
import { updateGroup } from './update-group.ts';

export const groupRoutes: Route[] = [
  route(contract.listGroups, (context, { params, query }) => listGroups(context, params.spaceId, query)),
  route(contract.createGroup, (context, { params, body }) => createGroup(context, params.spaceId, body)),
  route(contract.updateGroup, (context, { params, body }) => updateGroup(context, params, body)),
  route(contract.deleteGroup, (context, { params }) => deleteGroup(context, params)),
  route(contract.addGroupMembers, (context, { params, body }) => addGroupMembers(context, params, body)),
  route(contract.removeGroupMembers, (context, { params, query }) => removeGroupMembers(context, params, query)),
  route(contract.listDepartments, (context, { query }) => listDepartments(context, query)),
  route(contract.listDepartmentUsers, (context, { query }) => listDepartmentUsers(context, query)),
];
