// Copying a base means copying tables, so it stands here: the domain of bases knows nothing of them.
import { duplicateBase as endpoint } from '@rowhouse/contract/base.ts';
import { type Route, route } from '../../http/route.ts';
import { duplicateBase } from './duplicate-base.ts';

export const baseCopyRoutes: Route[] = [route(endpoint, (context, { body }) => duplicateBase(context, body))];
