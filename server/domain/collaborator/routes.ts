import * as contract from '@rowhouse/contract/collaborator.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { addCollaborators } from './add-collaborators.ts';
import type { Holder, Place } from './collaborator.sql.ts';
import { listBaseUsers, listCollaborators } from './list-collaborators.ts';
import { removeCollaborator } from './remove-collaborator.ts';
import { updateCollaborator } from './update-collaborator.ts';

const space = ({ spaceId }: { spaceId: string }): Place => ({ type: 'space', id: spaceId });
const base = ({ baseId }: { baseId: string }): Place => ({ type: 'base', id: baseId });

interface Whom {
  principalId?: string;
  principalType?: 'user' | 'department';
  userId?: string;
}

// `principalId` and `principalType`, or the older `userId`.
const holderOf = (whom: Whom): Holder => {
  const id = whom.principalId ?? whom.userId;
  if (id === undefined) throw invalid({ path: 'principalId', message: 'Required' });
  return { type: whom.principalType ?? 'user', id };
};

export const collaboratorRoutes: Route[] = [
  route(contract.listSpaceCollaborators, (context, { params, query }) =>
    listCollaborators(context, space(params), query),
  ),
  route(contract.listBaseCollaborators, (context, { params, query }) =>
    listCollaborators(context, base(params), query),
  ),
  route(contract.listBaseUsers, (context, { params, query }) => listBaseUsers(context, params.baseId, query)),
  route(contract.addSpaceCollaborators, (context, { params, body }) => addCollaborators(context, space(params), body)),
  route(contract.addBaseCollaborators, (context, { params, body }) => addCollaborators(context, base(params), body)),
  route(contract.updateSpaceCollaborator, (context, { params, body }) =>
    updateCollaborator(context, space(params), { holder: holderOf(body), role: body.role }),
  ),
  route(contract.updateBaseCollaborator, (context, { params, body }) =>
    updateCollaborator(context, base(params), { holder: holderOf(body), role: body.role }),
  ),
  route(contract.removeSpaceCollaborator, (context, { params, query }) =>
    removeCollaborator(context, space(params), holderOf(query)),
  ),
  route(contract.removeBaseCollaborator, (context, { params, query }) =>
    removeCollaborator(context, base(params), holderOf(query)),
  ),
];
