import { test } from 'vitest';
import { formula } from '../../proof/formula/formula.ts';
import { holds } from '../support/proof.ts';

test('whatever a formula says and a record holds, no statement fails', async () => {
  await holds(formula);
});
