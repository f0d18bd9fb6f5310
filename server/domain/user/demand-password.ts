// What a new password has to be: long enough, none of those that are tried first, and not the address of the account.
import { invalid } from '@rowhouse/contract/error.ts';
import { isAcceptablePassword } from '@rowhouse/contract/user.ts';
import { isCommonPassword } from './common-passwords.ts';

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The address, or the part before the @, with no more than four digits or signs beside it. */
const isOwnAddress = (password: string, email: string): boolean => {
  const [given, name] = [bare(password), bare(email.split('@')[0] as string)];
  const withoutDigits = given.replace(/^\d{0,4}|\d{0,4}$/g, '');
  return (
    given === bare(email) ||
    given === name ||
    (withoutDigits !== '' && (withoutDigits === name || withoutDigits === bare(email)))
  );
};

export const demandPassword = (password: string, email: string, path = 'password'): void => {
  if (!isAcceptablePassword(password))
    throw invalid({ path, message: 'Expected 8 to 256 characters with a letter and a digit' });
  if (isCommonPassword(password))
    throw invalid({ path, message: 'This is one of the most common passwords, which are tried first; choose another' });
  if (isOwnAddress(password, email))
    throw invalid({
      path,
      message: 'The password must not be the e-mail address of the account, or its first part; choose another',
    });
};
