import * as auth from '@rowhouse/contract/auth.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { changePassword } from './change-password.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { signUp } from './sign-up.ts';

export const authRoutes: Route[] = [
  route(auth.signUp, (context, { body, headers, ip }) =>
    signUp(context, { email: body.email, password: body.password, defaultSpaceName: body.defaultSpaceName, invitationId: body.invitationId, invitationCode: body.invitationCode, ip, userAgent: headers['user-agent'] }),
  ),
  route(auth.signIn, (context, { body, headers, ip }) =>
    signIn(context, { email: body.email, password: body.password, ip, userAgent: headers['user-agent'] }),
  ),
  route(auth.signOut, (context, { headers }) => signOut(context, headers)),
  route(auth.changePassword, (context, { body, ip }) =>
    changePassword(context, { password: body.password, newPassword: body.newPassword, ip }),
  ),
];
