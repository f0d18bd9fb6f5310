import { mergeConfig } from 'vitest/config';
import crash from './crash/vitest.config.ts';
import proof from './proof/vitest.config.ts';

/** The program as it is shipped: crash tests and the short proof in one run, so that both workers are busy until its end. */
export default mergeConfig({ test: { include: crash.test?.include } }, proof);
