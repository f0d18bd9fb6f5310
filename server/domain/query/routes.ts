import * as contract from '@rowhouse/contract/saved-query.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { saveQuery } from './saved-query.ts';

export const queryRoutes: Route[] = [route(contract.saveQuery, (context, { body }) => saveQuery(context, body.params))];
