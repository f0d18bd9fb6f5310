import { absences } from '@rowhouse/contract/absent.ts';
import { Answer, type Route, route } from '../../endpoint/route.ts';

export const absentRoutes: Route[] = absences.map(([endpoint, value]) =>
  route(endpoint, async () => new Answer(value === undefined ? {} : { body: value })),
);
