// People: what an account shows of itself, and the settings its owner changes.
import { type TString, type TUnsafe, Type } from 'typebox';
import { endpoint, stream } from './endpoint.ts';
import { text } from './text.ts';

declare const shown: unique symbol;

/** An address that was looked at before it is sent: the server makes one in `shownEmail` alone, by the scopes of whom it is for. */
export type ShownEmail = string & { readonly [shown]: true };

/** The e-mail address of a person in an answer. That of the caller's own account is plain text: its endpoint needs the scope. */
export const shownEmail: TUnsafe<ShownEmail> = Type.Unsafe<ShownEmail>({
  type: 'string',
  description: 'Empty for a token without `user|email_read`.',
});

export const userMe = Type.Object({
  id: Type.String(),
  name: Type.String(),
  avatar: Type.Union([Type.String(), Type.Null()]),
  email: Type.String(),
  phone: Type.Union([Type.String(), Type.Null()]),
  notifyMeta: Type.Object({
    email: Type.Optional(Type.Boolean({ description: 'Whether notifications also go out by e-mail.' })),
  }),
  lang: Type.Union([Type.String(), Type.Null()], {
    description: 'The language that you have chosen, such as `en` or `pt-BR`; null: none.',
  }),
  hasPassword: Type.Boolean(),
  isAdmin: Type.Boolean({ description: 'Administrator of this instance.' }),
  isEmailVerified: Type.Boolean({
    description:
      'The address is known to be yours: by a code or link that was mailed to it, or by the word of the operator.',
  }),
});

export const email = text({
  minLength: 3,
  maxLength: 254,
  format: 'email',
  description: 'Upper and lower case mean the same.',
});

const hasLetterAndDigit = (password: string): boolean => /[A-Za-z]/.test(password) && /[0-9]/.test(password);

export const isAcceptablePassword = (password: string): boolean =>
  password.length >= 8 && password.length <= 256 && hasLetterAndDigit(password);

export const newPassword = Type.Refine(
  Type.String({ minLength: 8, maxLength: 256, description: 'At least 8 characters, with a letter and a digit.' }),
  hasLetterAndDigit,
  () => 'Expected at least one letter and one digit',
) as unknown as TString;

export const renameUser = endpoint({
  name: 'renameUser',
  method: 'PATCH',
  path: '/user/name',
  summary: 'Change your name',
  tag: 'user',
  access: { on: 'user', own: true },
  body: Type.Object({ name: text({ minLength: 1, maxLength: 200 }) }),
  status: 200,
});

export const updateNotifyMeta = endpoint({
  name: 'updateNotifyMeta',
  method: 'PATCH',
  path: '/user/notify-meta',
  summary: 'Choose how you are notified',
  tag: 'user',
  access: { on: 'user', own: true },
  body: Type.Object({
    email: Type.Optional(Type.Boolean({ description: 'Also by e-mail. Left out: stays as it is.' })),
  }),
  status: 200,
});

export const setLanguage = endpoint({
  name: 'setLanguage',
  method: 'PATCH',
  path: '/user/lang',
  summary: 'Choose your language',
  description:
    'Clients in several languages read it with your account (`lang`). The app and the messages of this server are in English.',
  tag: 'user',
  access: { on: 'user', own: true },
  body: Type.Object({
    lang: Type.String({
      maxLength: 35,
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$',
      description: 'A language tag, such as `en`, `de` or `pt-BR`.',
    }),
  }),
  status: 200,
});

export const updateAvatar = endpoint({
  name: 'updateAvatar',
  method: 'PATCH',
  path: '/user/avatar',
  summary: 'Change your picture',
  description:
    'A form with the picture in the part `file`, of at most 3 MB. Everybody who knows its address can see it.',
  tag: 'user',
  access: { on: 'user', own: true },
  body: stream('multipart/form-data', { maxBytes: 3 * 1_048_576 + 10_000 }),
  bodyOptional: true,
  status: 200,
});

export const deleteAvatar = endpoint({
  name: 'deleteAvatar',
  method: 'DELETE',
  path: '/user/avatar',
  summary: 'Take your picture away',
  tag: 'user',
  access: { on: 'user', own: true },
  status: 200,
});
