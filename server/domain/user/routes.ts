import * as auth from '@rowhouse/contract/auth.ts';
import * as user from '@rowhouse/contract/user.ts';
import { type Route, route } from '../../http/route.ts';
import { getUser } from './get-user.ts';
import { getUserMe } from './get-user-me.ts';
import { renameUser } from './rename-user.ts';
import { updateNotifyMeta } from './update-notify-meta.ts';

export const userRoutes: Route[] = [
  route(auth.getUser, getUser),
  route(auth.getUserMe, getUserMe),
  route(user.renameUser, (context, { body }) => renameUser(context, body.name)),
  route(user.updateNotifyMeta, (context, { body }) => updateNotifyMeta(context, body)),
];
