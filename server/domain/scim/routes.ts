import * as contract from '@rowhouse/contract/scim.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { getScimConfig, listScimSchemas, listScimTypes } from './describe-scim.ts';
import {
  changeScimGroup,
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  listScimGroups,
  replaceScimGroup,
} from './scim-groups.ts';
import { createScimToken, deleteScimToken, listScimTokens } from './scim-tokens.ts';
import {
  changeScimUser,
  createScimUser,
  deleteScimUser,
  getScimUser,
  listScimUsers,
  replaceScimUser,
} from './scim-users.ts';
import { forTenant } from './tenant.ts';

export const scimRoutes: Route[] = [
  route(contract.listScimTokens, (context, { params }) => listScimTokens(context, params.organizationId)),
  route(contract.createScimToken, (context, { params, body }) =>
    createScimToken(context, params.organizationId, body.name),
  ),
  route(contract.deleteScimToken, (context, { params }) => deleteScimToken(context, params)),
  route(contract.getScimConfig, async (context) => getScimConfig(context)),
  route(contract.listScimTypes, async (context) => listScimTypes(context)),
  route(contract.listScimSchemas, async (context) => listScimSchemas(context)),
  route(contract.listScimUsers, (context, { query, headers }) =>
    forTenant(context, headers, (tenant) => listScimUsers(context, tenant, query)),
  ),
  route(contract.createScimUser, (context, { body, headers }) =>
    forTenant(context, headers, (tenant) => createScimUser(context, tenant, body)),
  ),
  route(contract.getScimUser, (context, { params, headers }) =>
    forTenant(context, headers, (tenant) => getScimUser(context, tenant, params.id)),
  ),
  route(contract.replaceScimUser, (context, { params, body, headers }) =>
    forTenant(context, headers, async (tenant) => replaceScimUser(context, tenant, params.id, body)),
  ),
  route(contract.changeScimUser, (context, { params, body, headers }) =>
    forTenant(context, headers, async (tenant) => changeScimUser(context, tenant, params.id, body)),
  ),
  route(contract.deleteScimUser, (context, { params, headers }) =>
    forTenant(context, headers, (tenant) => deleteScimUser(context, tenant, params.id)),
  ),
  route(contract.listScimGroups, (context, { query, headers }) =>
    forTenant(context, headers, (tenant) => listScimGroups(context, tenant, query)),
  ),
  route(contract.createScimGroup, (context, { body, headers }) =>
    forTenant(context, headers, async (tenant) => createScimGroup(context, tenant, body)),
  ),
  route(contract.getScimGroup, (context, { params, query, headers }) =>
    forTenant(context, headers, (tenant) => getScimGroup(context, tenant, params.id, query)),
  ),
  route(contract.replaceScimGroup, (context, { params, body, headers }) =>
    forTenant(context, headers, async (tenant) => replaceScimGroup(context, tenant, params.id, body)),
  ),
  route(contract.changeScimGroup, (context, { params, body, headers }) =>
    forTenant(context, headers, async (tenant) => changeScimGroup(context, tenant, params.id, body)),
  ),
  route(contract.deleteScimGroup, (context, { params, headers }) =>
    forTenant(context, headers, (tenant) => deleteScimGroup(context, tenant, params.id)),
  ),
];
