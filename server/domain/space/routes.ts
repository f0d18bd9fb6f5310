import * as factor from '@rowhouse/contract/second-factor.ts';
import * as contract from '@rowhouse/contract/space.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { createSpace } from './create-space.ts';
import { deleteSpace } from './delete-space.ts';
import { getSpace, listSpaces } from './read-spaces.ts';
import { getSpaceSecondFactor, setSpaceSecondFactor } from './space-second-factor.ts';
import { updateSpace } from './update-space.ts';

export const spaceRoutes: Route[] = [
  route(contract.createSpace, (context, { body }) => createSpace(context, body ?? {})),
  route(contract.listSpaces, (context) => listSpaces(context)),
  route(contract.getSpace, (context, { params }) => getSpace(context, params.spaceId)),
  route(contract.updateSpace, (context, { params, body }) => updateSpace(context, params.spaceId, body)),
  route(contract.deleteSpace, (context, { params }) => deleteSpace(context, params.spaceId)),
  route(factor.getSpaceSecondFactor, (context, { params }) => getSpaceSecondFactor(context, params.spaceId)),
  route(factor.setSpaceSecondFactor, (context, { params, body }) =>
    setSpaceSecondFactor(context, params.spaceId, body.isDemanded),
  ),
];
