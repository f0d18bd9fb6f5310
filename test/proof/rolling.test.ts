import { test } from 'vitest';
import { rolling } from '../../proof/rolling/rolling.ts';
import { holds } from '../support/proof.ts';

test('two servers behind a balancer are restarted in turn, and no request fails', async () => {
  await holds(rolling);
});
