// Before each test file: the modules of a worker are shared by all of its files, what they remember is not.
import { hashCheaply } from '../../server/domain/user/password.ts';
import { forgetSecrets } from './secret-record.ts';
import { seedProperties } from './seed.ts';

forgetSecrets();
hashCheaply(false);
seedProperties();
