import { test } from 'vitest';
import { rights } from '../../proof/rights/rights.ts';
import { holds } from '../support/proof.ts';

test('members see what their roles grant, and nothing tells them more', { timeout: 600_000 }, async () => {
  await holds(rights);
});
