import { test } from 'vitest';
import { concurrency } from '../../proof/concurrency/concurrency.ts';
import { holds } from '../support/proof.ts';

test('many clients of two servers end with what a model in memory says', async () => {
  await holds(concurrency);
});
