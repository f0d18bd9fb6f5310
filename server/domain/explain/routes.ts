import * as contract from '@rowhouse/contract/rights-explained.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { getMyRights } from './get-my-rights.ts';
import { previewRights } from './preview-rights.ts';
import { whoSees } from './who-sees.ts';

export const explainRoutes: Route[] = [
  route(contract.whoSees, (context, { params, query }) => whoSees(context, params.baseId, query)),
  route(contract.previewRights, (context, { params, body }) => previewRights(context, params.baseId, body)),
  route(contract.getMyRights, (context) => getMyRights(context)),
];
