// Before each test file: the modules of a worker are shared by all of its files, what they remember is not. What the last test of
// the file before put in the place of a global is taken away, too: that happens before each test, which is after `beforeAll`.
import { vi } from 'vitest';
import { hashCheaply } from '../../server/domain/user/password.ts';
import { forgetSecrets } from './secret-record.ts';
import { seedProperties } from './seed.ts';

vi.unstubAllGlobals();
forgetSecrets();
hashCheaply(false);
seedProperties();
