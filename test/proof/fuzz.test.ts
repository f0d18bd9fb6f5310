import { test } from 'vitest';
import { fuzz } from '../../proof/fuzz/fuzz.ts';
import { holds } from '../support/proof.ts';

test('whatever is sent, the answer is documented, and the server goes on', async () => {
  await holds(fuzz);
});
