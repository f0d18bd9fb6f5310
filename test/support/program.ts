// The real program for tests: what one of them starts is taken away after it.
import { afterEach } from 'vitest';
import { endPrograms } from '../../proof/program.ts';

export * from '../../proof/program.ts';

afterEach(endPrograms);
