import { test } from 'vitest';
import { intrusion } from '../../proof/intrusion/intrusion.ts';
import { holds } from '../support/proof.ts';

test('nobody gets in by what somebody once got in by', async () => {
  await holds(intrusion);
});
