import { test } from 'vitest';
import { isolation } from '../../proof/isolation/isolation.ts';
import { holds } from '../support/proof.ts';

test('one tenant learns nothing of another, not even whether it is there', async () => {
  await holds(isolation);
});
