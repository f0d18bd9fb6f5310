import { test } from 'vitest';
import { authorisation } from '../../proof/authorisation/authorisation.ts';
import { holds } from '../support/proof.ts';

test('nobody gets through who may not, everybody who may, by role and by scope', async () => {
  await holds(authorisation);
});
