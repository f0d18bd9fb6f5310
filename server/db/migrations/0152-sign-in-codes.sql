-- A code that is mailed to sign in with, in place of the password.
alter table rowhouse.email_codes drop constraint email_codes_purpose_check;
alter table rowhouse.email_codes add constraint email_codes_purpose_check
  check (purpose in ('signUp', 'signIn', 'verify', 'changeEmail', 'resetPassword', 'setPassword'));
