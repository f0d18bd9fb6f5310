import * as auth from '@rowhouse/contract/auth.ts';
import * as factor from '@rowhouse/contract/second-factor.ts';
import * as session from '@rowhouse/contract/session.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { addPassword } from './add-password.ts';
import { changeEmail, sendChangeEmailCode } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { getSignInOptions } from './get-sign-in-options.ts';
import { resetPassword, sendResetPasswordEmail } from './reset-password.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.ts';
import { endOtherSessions, endSession, endSessionsOfUser, listSessions } from './sessions.ts';
import { sendSignInCode, signIn, signInWithCode, signInWithSecondFactor } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { sendSignUpCode, signUp } from './sign-up.ts';
import { sendVerificationCode, verifyEmail } from './verify-email.ts';

export const authRoutes: Route[] = [
  route(auth.signUp, (context, { body, headers, ip }) =>
    signUp(context, {
      email: body.email,
      password: body.password,
      name: body.name,
      defaultSpaceName: body.defaultSpaceName,
      invitationId: body.invitationId,
      invitationCode: body.invitationCode,
      verification: body.verification,
      ip,
      userAgent: headers['user-agent'],
    }),
  ),
  route(auth.getSignInOptions, (context, { query }) => getSignInOptions(context, query)),
  route(auth.signIn, (context, { body, headers, ip }) =>
    signIn(context, { email: body.email, password: body.password, ip, userAgent: headers['user-agent'] }),
  ),
  route(auth.signOut, (context, { headers }) => signOut(context, headers)),
  route(auth.changePassword, (context, { body, ip }) =>
    changePassword(context, { password: body.password, newPassword: body.newPassword, ip }),
  ),
  route(auth.addPassword, (context, { body, ip }) => addPassword(context, { password: body.password, ip })),
  route(auth.sendSignInCode, (context, { body, ip }) => sendSignInCode(context, { email: body.email, ip })),
  route(auth.signInWithCode, (context, { body, headers, ip }) =>
    signInWithCode(context, { email: body.email, code: body.code, ip, userAgent: headers['user-agent'] }),
  ),
  route(auth.sendSignUpCode, (context, { body, ip }) => sendSignUpCode(context, { email: body.email, ip })),
  route(auth.sendResetPasswordEmail, (context, { body, ip }) =>
    sendResetPasswordEmail(context, { email: body.email, ip }),
  ),
  route(auth.resetPassword, (context, { body }) => resetPassword(context, body)),
  route(auth.sendVerificationCode, (context, { ip }) => sendVerificationCode(context, ip)),
  route(auth.verifyEmail, (context, { body }) => verifyEmail(context, body)),
  route(auth.sendChangeEmailCode, (context, { body, ip }) => sendChangeEmailCode(context, { ...body, ip })),
  route(auth.changeEmail, (context, { body }) => changeEmail(context, body)),
  route(session.listSessions, (context, { headers }) => listSessions(context, headers)),
  route(session.endSession, (context, { params }) => endSession(context, params.sessionId)),
  route(session.endOtherSessions, (context, { headers }) => endOtherSessions(context, headers)),
  route(session.endSessionsOfUser, (context, { params }) => endSessionsOfUser(context, params.userId)),
  route(factor.getSecondFactor, getSecondFactor),
  route(factor.beginSecondFactor, (context, { body }) => beginSecondFactor(context, body.password)),
  route(factor.confirmSecondFactor, (context, { body, headers }) => confirmSecondFactor(context, body.code, headers)),
  route(factor.renewRecoveryCodes, (context, { body }) => renewRecoveryCodes(context, body)),
  route(factor.removeSecondFactor, (context, { body }) => removeSecondFactor(context, body)),
  route(factor.signInWithSecondFactor, (context, { body, headers }) =>
    signInWithSecondFactor(context, { ...body, userAgent: headers['user-agent'] }),
  ),
];
