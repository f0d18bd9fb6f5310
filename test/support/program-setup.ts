// Before each test file that runs the program: the modules of a worker are shared by all of its files, what they remember is not.
import { afterEach } from 'vitest';
import { endPrograms, searchForSecrets } from './program.ts';
import { forgetSecrets } from './secret-record.ts';
import { seedProperties } from './seed.ts';

forgetSecrets();
seedProperties();

afterEach(() => endPrograms(searchForSecrets));
