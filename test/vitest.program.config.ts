import crash from './crash/vitest.config.ts';
import proof from './proof/vitest.config.ts';
import { filesOfPart } from './support/long-run.ts';

/** The program as it is shipped: crash tests and the short proof in one run, so that both workers are busy until its end. */
export default {
  ...proof,
  test: {
    ...proof.test,
    ...filesOfPart([...(crash.test?.include ?? []), ...(proof.test?.include ?? [])], (path) =>
      path.startsWith('test/proof/'),
    ),
  },
};
