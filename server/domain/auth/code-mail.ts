// The e-mails about accounts. They go to addresses of which nobody knows yet whose they are, so nothing that somebody chose
// stands in them.
import type { Services } from '../../context.ts';
import type { CodeToSend } from './email-code.sql.ts';
import { digitsOf, linkCodeOf } from './email-code.ts';

export interface MailText {
  subject: string;
  text: string;
}

const ignore = 'If you did not ask for it, ignore this e-mail: nothing happens without it.';

const spaced = (digits: string): string => `${digits.slice(0, 4)} ${digits.slice(4)}`;

const codeText = (subject: string, what: string, digits: string, site: string): MailText => ({
  subject,
  text: `Your code to ${what} at ${site}:\n\n    ${spaced(digits)}\n\nIt works once, for half an hour. Tell it to nobody. ${ignore}\n`,
});

/** Undefined: nothing is sent. */
export const codeMail = (
  services: Pick<Services, 'secretKey' | 'publicUrl' | 'config'>,
  id: Buffer,
  code: CodeToSend,
): MailText | undefined => {
  const site = services.publicUrl();
  const taken = code.holderId !== null;
  switch (code.purpose) {
    case 'signUp':
      if (taken && !code.isHolderActive) return undefined;
      if (taken) {
        return {
          subject: 'You already have an account',
          text: `Someone, perhaps you, tried to create an account with this e-mail address at ${site}. There already is one.\n\nSign in: ${site}/login\nForgot your password? ${site}/forgot-password\n\nIf it was not you, ignore this e-mail.\n`,
        };
      }
      if (services.config.signUp === 'invited' && !code.isInvited) return undefined;
      return codeText('Your code to create an account', 'create an account', digitsOf(services, id), site);
    case 'signIn':
      if (!taken || !code.isHolderActive) return undefined;
      return codeText('Your code to sign in', 'sign in', digitsOf(services, id), site);
    case 'verify':
      return codeText('Your code to verify this address', 'verify this e-mail address', digitsOf(services, id), site);
    case 'changeEmail':
      if (taken) {
        return {
          subject: 'This address already has an account',
          text: `Someone tried to make this the e-mail address of their account at ${site}. It already belongs to another account, so nothing was changed.\n\nIf it was not you, ignore this e-mail.\n`,
        };
      }
      return codeText(
        'Your code to change the e-mail address',
        'make this the e-mail address of your account',
        digitsOf(services, id),
        site,
      );
    case 'setPassword':
      if (!taken || !code.isHolderActive) return undefined;
      return {
        subject: 'Choose a password',
        text: `An administrator of ${site} made this link for your account. It sets a new password:\n\n${site}/reset-password#${linkCodeOf(services, id)}\n\nIt works once, for a day. If you do not know why, ask them.\n`,
      };
    case 'resetPassword':
      if (!taken || !code.isHolderActive) return undefined;
      return {
        subject: 'Set a new password',
        text: `Set a new password for your account at ${site}:\n\n${site}/reset-password#${linkCodeOf(services, id)}\n\nThe link works once, for an hour. ${ignore}\n`,
      };
  }
};

export type Notice =
  | 'passwordReset'
  | 'passwordAdded'
  | 'emailChanged'
  | 'secondFactorSet'
  | 'secondFactorRemoved'
  | 'identityLinked'
  | 'identityUnlinked'
  | 'signedIn';

const happened: Record<Notice, { subject: string; what: string }> = {
  passwordReset: {
    subject: 'Your password was changed',
    what: 'The password of your account was changed by a link that sets a new one. All sessions have ended.',
  },
  passwordAdded: {
    subject: 'Your account has a password now',
    what: 'A password was added to your account. It can be signed in to with it from now on.',
  },
  identityLinked: {
    subject: 'An identity was linked with your account',
    what: 'Your account can be signed in to through another provider from now on. Your account page shows which.',
  },
  identityUnlinked: {
    subject: 'An identity was unlinked from your account',
    what: 'An identity of another provider no longer signs in to your account. Other sessions have ended.',
  },
  emailChanged: {
    subject: 'Your e-mail address was changed',
    what: 'The e-mail address of your account was changed. This one is no longer used.',
  },
  secondFactorSet: {
    subject: 'A second factor was set up',
    what: 'Signing in to your account now requires a code from your authenticator app.',
  },
  secondFactorRemoved: {
    subject: 'Your second factor was removed',
    what: 'Signing in to your account no longer requires a code from your authenticator app.',
  },
  signedIn: {
    subject: 'A new sign-in to your account',
    what: 'Somebody signed in to your account with a device, or from a place, that you have not used before.',
  },
};

interface Told {
  notice: Notice;
  device?: string;
  ip?: string | null;
}

const signInText = ({ device, ip }: Told, site: string): string =>
  `${happened.signedIn.what}\n\n    ${device === undefined || device === '' ? 'Unknown program' : device}${ip == null ? '' : `, from ${ip}`}\n\nIf it was you, there is nothing to do. If it was not, sign it out at ${site}/account and change your password.\n`;

/** Tells somebody what happened to their account. */
export const noticeMail = (told: Told, site: string): MailText => ({
  subject: happened[told.notice].subject,
  text:
    told.notice === 'signedIn'
      ? signInText(told, site)
      : `${happened[told.notice].what}\n\nIf it was not you, tell the administrator of ${site} immediately.\n`,
});
