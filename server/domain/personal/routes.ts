import { deleteUser } from '@rowhouse/contract/auth.ts';
import * as visit from '@rowhouse/contract/last-visit.ts';
import * as pin from '@rowhouse/contract/pin.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { deleteAccount } from './delete-account.ts';
import { createPin, deletePin, listPins, movePin } from './pins.ts';
import { getLastVisit, getLastVisitMap, listLastBases, noteVisit } from './visits.ts';

export const personalRoutes: Route[] = [
  route(pin.createPin, (context, { body }) => createPin(context, body)),
  route(pin.deletePin, (context, { query }) => deletePin(context, query)),
  route(pin.listPins, listPins),
  route(pin.movePin, (context, { body: { type, id, anchorType, anchorId, position } }) =>
    movePin(context, { type, id }, { type: anchorType, id: anchorId }, position),
  ),
  route(visit.noteVisit, (context, { body }) => noteVisit(context, body)),
  route(visit.getLastVisit, (context, { query }) => getLastVisit(context, query.resourceType, query.parentResourceId)),
  route(visit.getLastVisitedNode, (context, { query }) => getLastVisit(context, 'table', query.parentResourceId)),
  route(visit.getLastVisitMap, (context, { query }) => getLastVisitMap(context, query.parentResourceId)),
  route(visit.listLastBases, listLastBases),
  route(deleteUser, (context, { body, ip }) => deleteAccount(context, body?.password, ip)),
];
