import * as auth from '@rowhouse/contract/auth.ts';
import * as user from '@rowhouse/contract/user.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { getUser, getUserMe } from './read-users.ts';
import { renameUser, setLanguage, updateNotifyMeta } from './update-user.ts';

export const userRoutes: Route[] = [
  route(auth.getUser, getUser),
  route(auth.getUserMe, getUserMe),
  route(user.renameUser, (context, { body }) => renameUser(context, body.name)),
  route(user.setLanguage, (context, { body }) => setLanguage(context, body.lang)),
  route(user.updateNotifyMeta, (context, { body }) => updateNotifyMeta(context, body)),
];
